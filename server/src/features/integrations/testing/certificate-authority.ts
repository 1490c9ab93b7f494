import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterFile } from '#test/after-file.ts';

/** A certificate authority for one test, made with openssl. */
export function makeAuthority() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-authority-'));
  chmodSync(folder, 0o755);
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
    '-subj',
    '/CN=Test',
    '-days',
    '2',
  );
  return {
    /** The certificate that clients must trust. */
    certificate: readFileSync(file('ca.crt'), 'utf8'),
    /** A server certificate for these names (`DNS:localhost`). Its key is readable by `uid`. */
    issue(id: string, names: string, uid?: number) {
      openssl('req', ...newKey, '-keyout', file(`${id}.key`), '-out', file(`${id}.csr`), '-subj', `/CN=${id}`);
      writeFileSync(file(`${id}.ext`), `subjectAltName=${names}\n`);
      const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2'];
      const to = ['-extfile', file(`${id}.ext`), '-out', file(`${id}.crt`)];
      openssl('x509', '-req', '-in', file(`${id}.csr`), ...signed, ...to);
      chmodSync(file(`${id}.key`), 0o600);
      if (uid !== undefined) chownSync(file(`${id}.key`), uid, uid);
      return { cert: file(`${id}.crt`), key: file(`${id}.key`) };
    },
  };
}
