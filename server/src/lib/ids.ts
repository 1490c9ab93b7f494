import { randomBytes, randomFillSync } from 'node:crypto';

// Asking for random bytes costs the same for sixteen of them as for many.
const pool = Buffer.alloc(4096);
let used = pool.length;
function sixteen(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

let ms = 0;
/** The twelve bits after the version, which order the ids of one millisecond. */
let counter = 0;
/** A clock that was set back further than this begins a new order. */
const longestStepMs = 1000;

/**
 * A UUIDv7 (RFC 9562). It sorts by creation time, so that new rows are next to each other in their index. A counter orders
 * the ids that this process makes within a millisecond (section 6.2, method 1). When it is full, the next millisecond begins
 * early.
 */
export function newId(): string {
  const bytes = sixteen();
  const now = Date.now();
  if (now > ms || now < ms - longestStepMs) {
    ms = now;
    counter = bytes.readUInt16BE(6) & 0x7ff;
  } else if (counter < 0xfff) counter += 1;
  else {
    ms += 1;
    counter = 0;
  }
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text is a UUID as `newId` and PostgreSQL write it: in lower case. */
export const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** `length` random characters of an alphabet; by default a-z, 2-9 without look-alikes (no i, l, o, 0, 1). */
export function randomWord(length: number, alphabet = letters): string {
  // Bytes beyond a multiple of the alphabet would make its first characters more frequent.
  const usable = 256 - (256 % alphabet.length);
  let word = '';
  while (word.length < length)
    for (const byte of randomBytes(length))
      if (byte < usable && word.length < length) word += alphabet[byte % alphabet.length];
  return word;
}

/** `bytes` random bytes as base64url: a token that cannot be guessed. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');
