import { createHmac, randomBytes } from 'node:crypto';

const stepSeconds = 30;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret: 160 bits (RFC 4226 section 4), as base32 (RFC 4648) without padding. */
export function newTotpSecret(): string {
  const bytes = randomBytes(20);
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map(five => alphabet[Number.parseInt(five, 2)]).join('');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
}

/** The 30-second step (RFC 6238) that a time in milliseconds lies in. */
export const stepAt = (ms: number): number => Math.floor(ms / 1000 / stepSeconds);

/** The six digits of a step (RFC 4226 section 5.3, HMAC-SHA-1: what every authenticator app speaks). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest[19]! & 0x0f) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The step whose code this is, one before or after now allowed (clocks differ); undefined when it is none. */
export function matchingStep(secret: string, code: string, ms: number): number | undefined {
  const now = stepAt(ms);
  return [now, now - 1, now + 1].find(step => totpCode(secret, step) === code);
}

/** The address that authenticator apps read from a picture. */
export function totpUri(secret: string, account: string, issuer: string): string {
  const query = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: String(stepSeconds) });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`;
}
