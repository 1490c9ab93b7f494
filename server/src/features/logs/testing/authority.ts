import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A time-stamp authority for tests, made with openssl. */
export async function startAuthority() {
  const at = mkdtempSync(path.join(tmpdir(), 'portico-tsa-'));
  const file = (name: string) => path.join(at, name);
  writeFileSync(
    file('tsa.cnf'),
    `[tsa]\ndefault_tsa = it\n[it]\nserial = ${file('serial')}\nsigner_digest = sha256\ndefault_policy = 1.2.3.4\ndigests = sha256\nsigner_cert = ${file('cert.pem')}\nsigner_key = ${file('key.pem')}\ness_cert_id_alg = sha256\n[ext]\nextendedKeyUsage = critical,timeStamping\nbasicConstraints = CA:TRUE\n[req]\ndistinguished_name = dn\n[dn]\n`,
  );
  writeFileSync(file('serial'), '01\n');
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    file('key.pem'),
    '-out',
    file('cert.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Test TSA',
    '-config',
    file('tsa.cnf'),
    '-extensions',
    'ext',
  );
  const authority = {
    url: '',
    /** Runs before a stamp is given. */
    beforeStamp: (): unknown => undefined,
    mode: 'grant' as 'grant' | 'refuse' | 'other' | 'away',
    verifies(stamp: string, hash: string): boolean {
      try {
        openssl('ts', '-verify', '-digest', hash, '-in', stamp, '-CAfile', file('cert.pem'));
        return true;
      } catch {
        return false;
      }
    },
    close: () => server.close(),
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (authority.mode === 'away') return response.writeHead(503).end();
    if (authority.mode === 'refuse') return response.end(Buffer.from('30053003020102', 'hex'));
    writeFileSync(file('query.tsq'), Buffer.concat(parts));
    if (authority.mode === 'other')
      writeFileSync(file('query.tsq'), openssl('ts', '-query', '-digest', '00'.repeat(32), '-sha256', '-cert'));
    openssl('ts', '-reply', '-queryfile', file('query.tsq'), '-config', file('tsa.cnf'), '-out', file('reply.tsr'));
    await authority.beforeStamp();
    return response.end(readFileSync(file('reply.tsr')));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  authority.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return authority;
}
