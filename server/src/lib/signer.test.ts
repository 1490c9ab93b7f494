import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signedPdf } from './signed-pdf.ts';
import { certificatePem, makeSigningKey, signDetached } from './signer.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-sign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
};

const key = makeSigningKey('Ölçer Otel');

/** What openssl, which is nobody of ours, says of a signature. */
function verifies(content: Buffer, signature: Buffer, certificate = key.certificate): boolean {
  const args = [
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-in',
    file('signature', signature),
    '-content',
    file('content', content),
  ];
  try {
    execFileSync(
      'openssl',
      [...args, '-CAfile', file('ca.pem', certificatePem(certificate)), '-purpose', 'any', '-out', '/dev/null'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return true;
  } catch (error) {
    if (process.env['TEST_LOG']) process.stderr.write(String((error as { stderr: Buffer }).stderr));
    return false;
  }
}

test('a certificate that openssl and node read, named and valid for long', () => {
  const certificate = new X509Certificate(key.certificate);
  expect(certificate.subject).toContain('O=Ölçer Otel');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(Date.parse(certificate.validTo) - Date.now()).toBeGreaterThan(19 * 365 * 86_400_000);
});

test('a signature holds for its content and its key, and for nothing else', () => {
  const content = Buffer.from('bir belge');
  const signature = signDetached(key, content);
  expect(verifies(content, signature)).toBe(true);
  expect(verifies(Buffer.from('bir belgE'), signature)).toBe(false);
  expect(verifies(content, signature, makeSigningKey('Ölçer Otel').certificate)).toBe(false);
});

test('a signed PDF covers all of itself', async () => {
  const info = { title: 'Kim?', author: 'Ölçer Otel', language: 'tr', reason: 'Deneme' };
  const pdf = await signedPdf(key, info, doc => {
    doc.text('one');
    doc.addPage().text('two');
  });
  const [, a, b, c] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(pdf.toString('latin1'))!.map(Number) as [
    number,
    number,
    number,
    number,
  ];
  expect(b + c).toBe(pdf.length);
  const hex = pdf.subarray(a + 1, b - 1).toString('latin1');
  expect(pdf[a]).toBe('<'.charCodeAt(0));
  const content = Buffer.concat([pdf.subarray(0, a), pdf.subarray(b)]);
  const signature = Buffer.from(hex.replace(/(00)+$/, ''), 'hex');
  expect(verifies(content, signature)).toBe(true);
  content[200] = content[200]! ^ 1;
  expect(verifies(content, signature)).toBe(false);
});
