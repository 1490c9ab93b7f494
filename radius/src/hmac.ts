import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

// With a Buffer as key, Node creates a KeyObject for every call, which takes five times as long.
const keys = new WeakMap<Buffer, KeyObject>();

const keyOf = (secret: Buffer): KeyObject => {
  const known = keys.get(secret);
  // Stryker disable next-line all: without the memory the result is the same.
  if (known) return known;
  const made = createSecretKey(secret);
  // Stryker disable next-line all: without the memory the result is the same.
  keys.set(secret, made);
  return made;
};

/** HMAC-MD5 of `bytes` (RFC 2104). The secret must not change afterwards. */
export const hmacMd5 = (secret: Buffer, bytes: Buffer): Buffer =>
  createHmac('md5', keyOf(secret)).update(bytes).digest();
