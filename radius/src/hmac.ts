import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

// Node takes five times as long for a key that it must first make of bytes.
const keys = new WeakMap<Buffer, KeyObject>();

const keyOf = (secret: Buffer): KeyObject => {
  const known = keys.get(secret);
  if (known) return known;
  const made = createSecretKey(secret);
  keys.set(secret, made);
  return made;
};

/** HMAC-MD5 of `bytes` (RFC 2104). The secret must not change afterwards. */
export const hmacMd5 = (secret: Buffer, bytes: Buffer): Buffer =>
  createHmac('md5', keyOf(secret)).update(bytes).digest();
