import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { certificatePem, issue, makeAuthority, makeSigningKey } from './certificates.ts';
import { signDetached } from './signature.ts';
import { signedPdf } from './signed-pdf.ts';
import { certificateVerifies, cmsVerifies, partsOf } from './testing/openssl.ts';

// Valid when openssl checks it on a later day too.
const since = new Date('2024-01-01T00:00:00Z');
const key = await makeSigningKey('Ölçer Otel', since);
const pem = certificatePem(key.certificate);

test('a certificate that signs documents has the name of the tenant and is valid for 20 years', () => {
  const certificate = new X509Certificate(key.certificate);
  expect(certificate.subject).toBe('O=Ölçer Otel\nCN=Ölçer Otel (Portico)');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(new Date(certificate.validTo).toISOString()).toBe('2044-01-01T00:00:00.000Z');
});

test('certificates of devices and servers hold for openssl, each for its purpose only', async () => {
  const authority = await makeAuthority('Portico', since);
  const until = new Date('2030-01-01T00:00:00Z');
  const made = async (purpose: 'client' | 'server', hosts: string[] = []) =>
    certificatePem(
      (await issue(authority, { purpose, organization: 'Ölçer', commonName: 'nas1', hosts, until }, since)).certificate,
    );
  const authorityPem = certificatePem(authority.certificate);
  const device = await made('client');
  expect(certificateVerifies(device, authorityPem, 'sslclient')).toBe(true);
  expect(certificateVerifies(device, authorityPem, 'sslserver')).toBe(false);
  expect(
    certificateVerifies(device, certificatePem((await makeAuthority('Portico', since)).certificate), 'sslclient'),
  ).toBe(false);
  const server = await made('server', ['radius.example.org', '192.0.2.7', '2001:db8::7']);
  expect(certificateVerifies(server, authorityPem, 'sslserver')).toBe(true);
  expect(new X509Certificate(server).subjectAltName).toBe(
    'DNS:radius.example.org, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7',
  );
});

test('a certificate that ends after 2049 has its date in the longer form', async () => {
  const late = await makeSigningKey('T', new Date('2035-05-06T07:08:09Z'));
  expect(new Date(new X509Certificate(late.certificate).validTo).toISOString()).toBe('2055-05-06T07:08:09.000Z');
  // GeneralizedTime (RFC 5280, section 4.1.2.5).
  expect(late.certificate.includes(Buffer.from('\x18\x0f20550506070809Z', 'latin1'))).toBe(true);
});

test('a signature holds for its content and its key, and for nothing else', async () => {
  const content = Buffer.from('bir belge');
  const signature = await signDetached(key, content);
  expect(cmsVerifies(content, signature, pem)).toBe(true);
  expect(cmsVerifies(Buffer.from('bir belgE'), signature, pem)).toBe(false);
  const other = await makeSigningKey('Ölçer Otel', since);
  expect(cmsVerifies(content, signature, certificatePem(other.certificate))).toBe(false);
});

const info = { title: 'Kim?', author: 'Ölçer Otel', language: 'tr', reason: 'Deneme (1)' };
const report = await signedPdf(key, info, doc => {
  doc.text('one');
  doc.addPage().text('two');
});

test('a signed PDF covers all of itself', () => {
  const { content, signature } = partsOf(report);
  expect(cmsVerifies(content, signature, pem)).toBe(true);
  content[200] = content[200]! ^ 1;
  expect(cmsVerifies(content, signature, pem)).toBe(false);
});

test.runIf(spawnSync('pdfsig', ['-v']).error === undefined)('a PDF reader finds its signature valid', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'portico-pdf-')), 'report.pdf');
  const read = (pdf: Buffer) => {
    writeFileSync(file, pdf);
    return spawnSync('pdfsig', [file], { encoding: 'utf8' }).stdout;
  };
  const found = read(report);
  expect(found).toContain('CN=Ölçer Otel (Portico),O=Ölçer Otel');
  expect(found).toContain('Signature Validation: Signature is Valid.');
  expect(found).toContain('Total document signed');
  expect(found).toContain('Signature Type: adbe.pkcs7.detached');
  const changed = Buffer.from(report);
  changed[8500] = changed[8500]! ^ 1;
  expect(read(changed)).not.toContain('Signature is Valid');
});
