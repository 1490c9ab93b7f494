import { RouterError } from '../driver.ts';
import { maxAnswerBytes } from './menus.ts';

/** A word of RouterOS's binary protocol: its length in one to five bytes, then its text. */
function encodeWord(word: string): Buffer {
  const text = Buffer.from(word, 'utf8');
  const n = text.length;
  const length =
    n < 0x80
      ? [n]
      : n < 0x4000
        ? [(n >> 8) | 0x80, n & 0xff]
        : n < 0x200000
          ? [(n >> 16) | 0xc0, (n >> 8) & 0xff, n & 0xff]
          : [(n >> 24) | 0xe0, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
  return Buffer.concat([Buffer.from(length), text]);
}

/** A sentence: words, and an empty one at its end. */
export const encodeSentence = (words: readonly string[]): Buffer =>
  Buffer.concat([...words.map(encodeWord), Buffer.of(0)]);

/** How many bytes a length takes, by its first one. */
const widthOf = (first: number): number =>
  first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;

/**
 * Takes sentences out of what arrives, in whatever pieces. Throws a RouterError for a word that no router would send: a
 * length is believed before its text is there, so it must be bounded.
 */
export function sentenceReader(): (chunk: Buffer) => string[][] {
  let rest: Buffer = Buffer.alloc(0);
  let words: string[] = [];
  return chunk => {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const sentences: string[][] = [];
    let at = 0;
    while (at < rest.length) {
      const first = rest[at]!;
      const width = widthOf(first);
      if (at + width > rest.length) break;
      const length = width === 5 ? rest.readUInt32BE(at + 1) : rest.readUIntBE(at, width) & (2 ** (7 * width) - 1);
      if (length > maxAnswerBytes) throw new RouterError('refused', 'the answer is too large');
      if (at + width + length > rest.length) break;
      if (length === 0) {
        if (words.length) sentences.push(words);
        words = [];
      } else words.push(rest.toString('utf8', at + width, at + width + length));
      at += width + length;
    }
    rest = rest.subarray(at);
    return sentences;
  };
}
