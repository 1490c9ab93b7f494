import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { RouterError } from '../router-control.ts';
import { encodeSentence, sentenceReader } from './api-words.ts';

test('sentences are read from chunks of any size, with lengths of every width', () => {
  const sentences = [1, 0x7f, 0x80, 0x3fff, 0x4000, 0x1_ffff].map(n => ['!re', `=comment=${'ş'}${'x'.repeat(n)}`]);
  const bytes = Buffer.concat(sentences.map(encodeSentence));
  for (const size of [1, 2, 3, 1000, bytes.length]) {
    const read = sentenceReader();
    const found: string[][] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...read(bytes.subarray(at, at + size)));
    expect(found).toEqual(sentences);
  }
});

test('a length above the limit is refused at once', () => {
  for (const hostile of ['f0ffffffff', 'efffffff', 'dfffff'])
    expect(() => sentenceReader()(Buffer.from(hostile, 'hex'))).toThrow(RouterError);
});

test('random bytes cause nothing but a RouterError', () => {
  for (let i = 0; i < 2000; i += 1) {
    const read = sentenceReader();
    try {
      for (let n = 0; n < 5; n += 1) read(randomBytes(randomInt(1, 300)));
    } catch (error) {
      expect(error).toBeInstanceOf(RouterError);
    }
  }
});
