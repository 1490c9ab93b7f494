import { createCipheriv } from 'node:crypto';

/** Encrypts the fixed text of LAN Manager with seven bytes. With three equal keys, triple DES is DES, which Node does not offer. */
function encrypted(seven: Buffer): Buffer {
  const bits = BigInt(`0x${seven.toString('hex')}`);
  const key = Buffer.from(Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(49 - 7 * i)) & 127n) << 1));
  return createCipheriv('des-ede3', Buffer.concat([key, key, key]), null).update('KGS!@#$%');
}

/** The hash of LAN Manager: of the first fourteen bytes of a password, in capitals. */
export function lmHash(typed: string): Buffer {
  const bytes = Buffer.alloc(14);
  Buffer.from(typed.replace(/[a-z]/g, letter => letter.toUpperCase())).copy(bytes);
  return Buffer.concat([encrypted(bytes.subarray(0, 7)), encrypted(bytes.subarray(7))]);
}
