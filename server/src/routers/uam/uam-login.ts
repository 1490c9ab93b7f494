import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { formatMac } from '@portico/contract/mac.ts';

/*
 * UAM, the protocol between ChilliSpot, CoovaChilli, uspot and many access points and their portal. It has no specification.
 * This follows CoovaChilli 1.8 (src/redir.c) and uspot of March 2024 (handler-uam.uc, portal.uc, uam.c).
 */

const md5 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/**
 * The gateway's `uamsecret`. It is not the RADIUS secret itself: every guest sees an MD5 that contains it, and could search
 * for a weak one.
 */
export const uamSecret = (secret: string): string =>
  createHmac('sha256', secret).update('uamsecret').digest('hex').slice(0, 32);

/** Whether the gateway made this address: `md` is the MD5 of everything before it and the secret. */
export function isSignedUrl(url: string, uamsecret: string): boolean {
  const at = url.lastIndexOf('&md=');
  if (at < 0) return false;
  const expected = md5(url.slice(0, at), uamsecret).toString('hex');
  return isSame(url.slice(at + 4).toLowerCase(), expected);
}

/** The values with which a guest is signed in at its gateway. */
export interface UamRequest {
  readonly host: string;
  readonly port: number;
  /** 16 bytes in hex. */
  readonly challenge: string;
  readonly mac: string;
}

const challengePattern = /^[0-9a-f]{32}$/i;

/** The request in the values of an arrival; undefined if they cannot be a gateway's. */
export function readRequest(value: (name: string) => string): UamRequest | undefined {
  const [host, challenge, mac] = [value('uamip'), value('challenge'), formatMac(value('mac'))];
  // uspot sends `null` for a port that is not set.
  const port = /^\d{1,5}$/.test(value('uamport')) ? Number(value('uamport')) : 3990;
  if (!isIPv4(host) || port < 1 || port > 65_535) return undefined;
  return { host, port, challenge: challengePattern.test(challenge) ? challenge.toLowerCase() : '', mac };
}

const signature = ({ host, port, challenge, mac }: UamRequest, uamsecret: string): string =>
  createHmac('sha256', uamsecret).update(`${host}:${port} ${challenge} ${mac}`).digest('base64url').slice(0, 22);

/** The request as one address, which our own pages carry. It is signed, because later pages no longer have `md`. */
export function packRequest(it: UamRequest, uamsecret: string): string {
  const packed = new URL(`http://${it.host}:${it.port}/logon`);
  packed.search = new URLSearchParams({ challenge: it.challenge, s: signature(it, uamsecret) }).toString();
  return packed.href;
}

/** The challenge of a packed request; undefined unless we packed it for this guest. */
export function unpackChallenge(login: URL, mac: string, uamsecret: string): string | undefined {
  const challenge = login.searchParams.get('challenge') ?? '';
  if (login.protocol !== 'http:' || login.pathname !== '/logon' || !challengePattern.test(challenge)) return undefined;
  const it = { host: login.hostname, port: Number(login.port || 80), challenge, mac };
  return isSame(login.searchParams.get('s') ?? '', signature(it, uamsecret)) ? challenge : undefined;
}

/** The address that signs a guest in: CHAP with the identifier 0 over the challenge and the secret. */
export function logonUrl(
  login: URL,
  it: { readonly challenge: string; readonly ticket: string; readonly uamsecret: string; readonly userUrl: string },
): string {
  const challenge = md5(Buffer.from(it.challenge, 'hex'), it.uamsecret);
  const response = md5(Buffer.from([0]), it.ticket, challenge).toString('hex');
  const url = new URL(login);
  url.search = new URLSearchParams({ username: it.ticket, response, userurl: it.userUrl }).toString();
  return url.href;
}
