import { hash, timingSafeEqual } from 'node:crypto';
import { code } from './attributes.ts';
import { hmacMd5 } from './hmac.ts';
import type { Packet } from './packet.ts';

export type Verdict = 'valid' | 'invalid' | 'absent';

/**
 * Checks the Message-Authenticator (RFC 3579 section 3.2, RFC 5176 section 3.4) in constant time. For a reply pass the
 * authenticator of its request.
 */
export const checkMessageAuthenticator = (packet: Packet, secret: Buffer, requestAuthenticator?: Buffer): Verdict => {
  const at = packet.messageAuthenticatorAt;
  if (at < 0) return 'absent';
  const copy = Buffer.from(packet.bytes);
  copy.fill(0, at, at + 16);
  if (requestAuthenticator) requestAuthenticator.copy(copy, 4);
  else if (packet.code !== code['Access-Request'] && packet.code !== code['Status-Server']) copy.fill(0, 4, 20);
  const expected = hmacMd5(secret, copy);
  return timingSafeEqual(expected, packet.bytes.subarray(at, at + 16)) ? 'valid' : 'invalid';
};

const digest = (packet: Packet, secret: Buffer, authenticator?: Buffer): Buffer => {
  const whole = Buffer.concat([packet.bytes, secret]);
  if (authenticator) authenticator.copy(whole, 4);
  else whole.fill(0, 4, 20);
  return hash('md5', whole, 'buffer');
};

/** Checks the Request Authenticator of an Accounting-, Disconnect- or CoA-Request in constant time (RFC 2866 section 3). */
export const isRequestAuthentic = (packet: Packet, secret: Buffer): boolean =>
  timingSafeEqual(digest(packet, secret), packet.authenticator);

/**
 * Checks a reply against its request in constant time: id, Response Authenticator (RFC 2865 section 3) and, when
 * present, Message-Authenticator. It is ignored in an Accounting-Response, where no RFC defines it and peers disagree.
 */
export const isReplyAuthentic = (
  reply: Packet,
  request: { readonly id: number; readonly authenticator: Buffer },
  secret: Buffer,
): boolean =>
  reply.id === request.id &&
  timingSafeEqual(digest(reply, secret, request.authenticator), reply.authenticator) &&
  (reply.code === code['Accounting-Response'] ||
    checkMessageAuthenticator(reply, secret, request.authenticator) !== 'invalid');
