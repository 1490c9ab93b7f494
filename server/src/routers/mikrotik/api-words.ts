import { RouterError } from '../router-control.ts';
import { maxAnswerBytes } from './menus.ts';

/** A word of RouterOS's binary protocol: its length in one to five bytes, then the text. */
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

/** A sentence is a list of words that ends with an empty word. */
export const encodeSentence = (words: readonly string[]): Buffer =>
  Buffer.concat([...words.map(encodeWord), Buffer.of(0)]);

/** The number of bytes in an encoded length, by its first byte. */
const widthOf = (first: number): number =>
  first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;

/**
 * Splits the received chunks into sentences. Throws a RouterError for a word that is too long: the length arrives before the
 * text, so it has to be bounded.
 */
export function sentenceReader(): (chunk: Buffer) => string[][] {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Bytes until the next word is complete. Until then chunks are only collected, so that small ones stay cheap. */
  let needed = 1;
  let words: string[] = [];
  return chunk => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return [];
    const bytes = Buffer.concat(chunks);
    const sentences: string[][] = [];
    let at = 0;
    needed = 1;
    while (at < bytes.length) {
      const first = bytes[at]!;
      const width = widthOf(first);
      needed = width;
      if (at + width > bytes.length) break;
      const length = width === 5 ? bytes.readUInt32BE(at + 1) : bytes.readUIntBE(at, width) & (2 ** (7 * width) - 1);
      if (length > maxAnswerBytes) throw new RouterError('refused', 'the answer is too large');
      needed = width + length;
      if (at + needed > bytes.length) break;
      if (length === 0) {
        if (words.length) sentences.push(words);
        words = [];
      } else words.push(bytes.toString('utf8', at + width, at + needed));
      at += needed;
      needed = 1;
    }
    chunks = [bytes.subarray(at)];
    size = bytes.length - at;
    return sentences;
  };
}
