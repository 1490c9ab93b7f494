import { isSignedFor, type Secrets, signFor } from './secrets.ts';

/** The visitor of a pass. */
export interface PassHolder {
  readonly tenantId: string;
  readonly visitorId: string;
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const textOf = ({ tenantId, visitorId }: PassHolder, password: string): string =>
  `guest pass:${tenantId}:${visitorId}:${password}`;
// 128 bits: short enough for a small code on paper, and impossible to guess.
const sealDigits = 32;

/** A text of 64 characters that stands for a visitor's username and password, until the password changes. */
export const writePass = (secrets: Secrets, holder: PassHolder, password: string): string =>
  Buffer.concat([
    bytesOf(holder.tenantId),
    bytesOf(holder.visitorId),
    Buffer.from(signFor(secrets, holder.tenantId, textOf(holder, password), sealDigits), 'hex'),
  ]).toString('base64url');

/** Reads the visitor that a pass names; undefined for a text that can't be a pass. Checks no signature: see `isPassOf`. */
export function readPass(text: string): PassHolder | undefined {
  if (!/^[\w-]{64}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return { tenantId: idOf(bytes.subarray(0, 16)), visitorId: idOf(bytes.subarray(16, 32)) };
}

/** True for the pass that we wrote for this visitor with this password. */
export const isPassOf = (secrets: Secrets, text: string, holder: PassHolder, password: string): boolean =>
  isSignedFor(
    secrets,
    holder.tenantId,
    textOf(holder, password),
    Buffer.from(text, 'base64url').subarray(32).toString('hex'),
    sealDigits,
  );
