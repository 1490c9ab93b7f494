import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded.ts';
import { afterFile } from '#test/after-file.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { freePort } from '#test/process.ts';
import { makeAuthority } from './testing/certificate-authority.ts';
import { startMariadb } from './testing/mariadb.ts';

const trusted = getCACertificates('default');

let api: TestApi;
let token: string;
let authority: ReturnType<typeof makeAuthority>;
/** The effect of NODE_EXTRA_CA_CERTS in an installation. */
const trust = () => setDefaultCACertificates([...trusted, authority.certificate]);
const tryIt = (connection: object) => api.post('panel/integration/test', { token, body: connection });

beforeAll(async () => {
  authority = makeAuthority();
  trust();
  afterFile(() => setDefaultCACertificates(trusted));
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  token = (await api.user('tenant-admin')).token;
});

/** For every driver: a trusted certificate must contain the configured host name. */
async function checksCertificates(server: { connection: object; issue: (names: string) => Promise<unknown> }) {
  const answer = async (db_host: string) => {
    const { status, body, text } = await tryIt({ ...server.connection, tls: true, db_host });
    return status === 200 && text.includes('Ada') ? 'read' : body.errors.db_host[0];
  };
  const refused = expect.stringContaining('cannot be trusted');
  await server.issue('DNS:localhost');
  await expect.poll(() => answer('localhost')).toBe('read');
  expect(await answer('127.0.0.1'), 'the certificate is for a name').toEqual(refused);
  await server.issue('IP:127.0.0.1');
  await expect.poll(() => answer('127.0.0.1')).toBe('read');
  expect(await answer('localhost'), 'the certificate is for an address').toEqual(refused);
  setDefaultCACertificates(trusted);
  expect(await answer('127.0.0.1'), 'unknown authority').toEqual(refused);
  trust();
}

const guests = `create table guests (ad varchar(40)); insert into guests values ('Ada')`;

describe('an encrypted connection needs a certificate for the configured host', () => {
  test('on PostgreSQL', async () => {
    // PostgreSQL does not run as root and must own its key. It runs as the owner of its folder.
    const uid = process.getuid?.() === 0 ? 60_705 : undefined;
    const first = authority.issue('postgresql', 'DNS:localhost', uid);
    const folder = mkdtempSync(path.join(tmpdir(), 'portico-pms-'));
    chmodSync(folder, 0o755);
    const home = path.join(folder, 'postgres');
    mkdirSync(home);
    if (uid !== undefined) chownSync(home, uid, uid);
    // PostgreSQL has no TLS on a socket.
    const db_port = await freePort();
    const at = { listen_addresses: '127.0.0.1', port: String(db_port) };
    const settings = { ...at, ssl: 'on', ssl_cert_file: first.cert, ssl_key_file: first.key, fsync: 'off' };
    const server = await startEmbedded(home, { settings });
    try {
      const owner = new pg.Client({ host: '127.0.0.1', port: db_port, user: 'postgres', database: 'postgres' });
      await owner.connect();
      // Ends with its server.
      owner.on('error', () => undefined);
      await owner.query(guests);
      const login = { db_username: 'postgres', db_password: 'x', db_name: 'postgres', db_table: 'guests' };
      await checksCertificates({
        connection: { type: 'postgresql', db_port, ...login },
        issue: async names => {
          authority.issue('postgresql', names, uid);
          await owner.query('select pg_reload_conf()');
        },
      });
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  test('on MariaDB', async () => {
    const { cert, key } = authority.issue('mysql', 'DNS:localhost');
    const server = await startMariadb([`--ssl-cert=${cert}`, `--ssl-key=${key}`]);
    try {
      await server.query(`use hotel; ${guests}`);
      const login = { db_username: 'pms', db_password: 'pms-parola', db_name: 'hotel', db_table: 'guests' };
      await checksCertificates({
        connection: { type: 'mysql', db_port: server.port, ...login },
        issue: async names => {
          authority.issue('mysql', names);
          await server.query('flush ssl');
        },
      });
    } finally {
      await server.stop();
    }
  }, 60_000);
});
