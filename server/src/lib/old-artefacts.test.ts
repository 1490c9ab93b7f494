import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { certificatePem, issue } from './certificates.ts';
import { signDetached } from './signature.ts';
import { certificateVerifies, cmsVerifies, partsOf } from './testing/openssl.ts';

// Version 0.5.0 made these files, before the libraries. Installations hold such keys, certificates and reports.
const kept = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'testing/0.5.0', name));
const keyOf = (name: string) => ({
  privateKey: kept(`${name}.key`).toString(),
  certificate: new X509Certificate(kept(`${name}.crt`)).raw,
});
const pem = (name: string): string => kept(`${name}.crt`).toString();

test('certificates of 0.5.0 hold', () => {
  expect(certificateVerifies(pem('device'), pem('authority'), 'sslclient')).toBe(true);
  expect(certificateVerifies(pem('server'), pem('authority'), 'sslserver')).toBe(true);
});

test('the authority of 0.5.0 signs new certificates, which hold beside its old ones', async () => {
  const authority = keyOf('authority');
  const wanted = { organization: 'demo', commonName: 'nas0002', until: new Date('2030-01-01T00:00:00Z') } as const;
  const since = new Date('2024-01-01T00:00:00Z');
  const { certificate, privateKey } = await issue(authority, { ...wanted, purpose: 'client' }, since);
  expect(certificateVerifies(certificatePem(certificate), pem('authority'), 'sslclient')).toBe(true);
  expect(new X509Certificate(certificate).checkIssued(new X509Certificate(authority.certificate))).toBe(true);
  expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
});

test('signatures of 0.5.0 hold, and its key signs anew', async () => {
  const content = kept('document.txt');
  expect(cmsVerifies(content, kept('document.p7s'), pem('signer'))).toBe(true);
  const report = partsOf(kept('report.pdf'));
  expect(cmsVerifies(report.content, report.signature, pem('signer'))).toBe(true);
  expect(cmsVerifies(content, await signDetached(keyOf('signer'), content), pem('signer'))).toBe(true);
});
