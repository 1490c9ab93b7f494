import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-openssl-'));
let files = 0;
const file = (content: string | Buffer): string => {
  const name = path.join(folder, String(++files));
  writeFileSync(name, content);
  return name;
};
/** Certificates of the tests are valid then. */
const attime = String(Date.parse('2027-01-01T00:00:00Z') / 1000);

function accepts(...args: string[]): boolean {
  try {
    execFileSync('openssl', args, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Whether openssl accepts a CMS signature of some content by a certificate. */
export const cmsVerifies = (content: Buffer, signature: Buffer, certificatePem: string): boolean =>
  accepts(
    ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', file(signature), '-content', file(content)],
    ...['-CAfile', file(certificatePem), '-purpose', 'any', '-attime', attime, '-out', '/dev/null'],
  );

/** Whether openssl accepts a certificate for a purpose, issued by an authority, with every rule of RFC 5280. */
export const certificateVerifies = (
  certificatePem: string,
  authorityPem: string,
  purpose: 'sslclient' | 'sslserver',
): boolean =>
  accepts(
    ...['verify', '-x509_strict', '-purpose', purpose, '-attime', attime],
    ...['-CAfile', file(authorityPem), file(certificatePem)],
  );

/** Whether openssl accepts a time stamp of a hash by an authority. */
export const stampVerifies = (stamp: Buffer, hash: string, authorityPem: string): boolean =>
  accepts('ts', '-verify', '-digest', hash, '-in', file(stamp), '-CAfile', file(authorityPem), '-attime', attime);

/** The signed parts of a PDF, and the signature. */
export function partsOf(pdf: Buffer): { content: Buffer; signature: Buffer } {
  const range = /\/ByteRange \[0 (\d+) (\d+) (\d+)\s*\]/.exec(pdf.toString('latin1'))!;
  const [end, start, length] = range.slice(1).map(Number) as [number, number, number];
  if (start + length !== pdf.length) throw new Error('The signature does not cover the end of the file');
  const padded = Buffer.from(pdf.subarray(end + 1, start - 1).toString('latin1'), 'hex');
  // SEQUENCE with a length of two bytes. The zeros after it are not part of it, but its last byte may be a zero.
  const size = 4 + padded.readUInt16BE(2);
  return {
    content: Buffer.concat([pdf.subarray(0, end), pdf.subarray(start)]),
    signature: padded.subarray(0, size),
  };
}
