import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { attribute } from './attributes.ts';
import { octets } from './encode.ts';
import { type Packet, readOctets } from './packet.ts';

const longestPassword = 128;

const mask = (secret: Buffer, before: Buffer): Buffer => hash('md5', Buffer.concat([secret, before]), 'buffer');

/** Hides a password (RFC 2865 section 5.2). Throws RangeError beyond 128 bytes. */
export const hidePassword = (password: string | Buffer, secret: Buffer, authenticator: Buffer): Buffer => {
  const clear = Buffer.from(password as string);
  if (clear.length > longestPassword) throw new RangeError(`a password holds at most ${longestPassword} bytes`);
  const hidden = Buffer.alloc(Math.max(16, Math.ceil(clear.length / 16) * 16));
  clear.copy(hidden);
  let before = authenticator;
  for (let at = 0; at < hidden.length; at += 16) {
    const key = mask(secret, before);
    for (let i = 0; i < 16; i += 1) hidden[at + i] = (hidden[at + i] as number) ^ (key[i] as number);
    before = hidden.subarray(at, at + 16);
  }
  return hidden;
};

/** The password of a PAP Access-Request without its NUL padding; `undefined` when there is none or its length is wrong. */
export const revealPassword = (packet: Packet, secret: Buffer): Buffer | undefined => {
  const hidden = readOctets(packet, attribute['User-Password']);
  if (!hidden || hidden.length === 0 || hidden.length > longestPassword || hidden.length % 16 !== 0) return undefined;
  const clear = Buffer.allocUnsafe(hidden.length);
  let before = packet.authenticator;
  for (let at = 0; at < hidden.length; at += 16) {
    const key = mask(secret, before);
    for (let i = 0; i < 16; i += 1) clear[at + i] = (hidden[at + i] as number) ^ (key[i] as number);
    before = hidden.subarray(at, at + 16);
  }
  let end = clear.length;
  while (end > 0 && clear[end - 1] === 0) end -= 1;
  return clear.subarray(0, end);
};

/** Compares a typed password with the correct one in constant time. */
export const isSamePassword = (typed: Buffer, right: string | Buffer): boolean =>
  timingSafeEqual(hash('sha256', typed, 'buffer'), hash('sha256', Buffer.from(right as string), 'buffer'));

/** Checks a CHAP response against the clear password (RFC 2865 section 2.2); false when there is no CHAP response. */
export const isChapAnswer = (packet: Packet, password: string | Buffer): boolean => {
  const answer = readOctets(packet, attribute['CHAP-Password']);
  if (answer?.length !== 17) return false;
  const challenge = readOctets(packet, attribute['CHAP-Challenge']) ?? packet.authenticator;
  const expected = hash(
    'md5',
    Buffer.concat([answer.subarray(0, 1), Buffer.from(password as string), challenge]),
    'buffer',
  );
  return timingSafeEqual(expected, answer.subarray(1));
};

/** The CHAP-Password and CHAP-Challenge attributes that prove a password. */
export const chapAttributes = (password: string | Buffer): Buffer[] => {
  const challenge = randomBytes(16);
  const id = randomBytes(1);
  const proof = hash('md5', Buffer.concat([id, Buffer.from(password as string), challenge]), 'buffer');
  return [
    octets(attribute['CHAP-Password'], Buffer.concat([id, proof])),
    octets(attribute['CHAP-Challenge'], challenge),
  ];
};
