import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { certificatePem, issue, makeAuthority } from '#lib/certificates.ts';
import { startApi } from '#test/harness.ts';
import { portico } from '#test/portico.ts';
import { freePorts, startProcess } from '#test/process.ts';
import { fingerprint } from '../secret-key.ts';
import type { Finding } from './finding.ts';

/** Runs the doctor on installations with many problems at once. */

const api = await startApi();
const url = api.app.db.pool.options.connectionString!.replace('@/', '@localhost/');
const folder = mkdtempSync(path.join(tmpdir(), 'portico-doctor-'));
const closes: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
afterAll(() => closes.forEach(close => close()));
const SECRET_KEY = 'the key of this installation: 32+';

async function examine(environment: Record<string, string>) {
  const { code, out, error } = await portico(['doctor', '--json'], {
    ...{ DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY, ...(await freePorts()), ...environment },
  });
  expect(error).toBe('');
  const report = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  expect(code).toBe(report.ok ? 0 : 1);
  const all = (level: Finding['level']) =>
    report.findings.filter(it => it.level === level).map(it => `${it.check}: ${it.message}`);
  // Each problem has a remedy.
  expect(report.findings.filter(it => it.level !== 'ok' && !it.remedy)).toEqual([]);
  const remedies = Object.fromEntries(report.findings.map(it => [it.check, it.remedy]));
  return { ok: report.ok, failures: all('failure'), warnings: all('warning'), well: all('ok'), remedies };
}

const set = (row: string) => api.app.db.pool.query(`update installation set ${row}`);

// The PostgreSQL of the tests uses unsafe settings for speed.
const unsafe = [
  'database: fsync is off: a power failure destroys it',
  'database: synchronous_commit is off: a crash loses committed data',
];

test('finds nothing else in a working installation, and prints readable lines', async () => {
  await set(`key_fingerprint = '${fingerprint(SECRET_KEY)}', backed_up_at = now()`);
  const { ok, failures } = await examine({});
  expect({ ok, failures }).toEqual({ ok: false, failures: unsafe });
  const { out } = await portico(['doctor'], {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRET_KEY,
    ...(await freePorts()),
  });
  expect(out).toMatch(/^FAILURE +database +fsync is off: a power failure destroys it\. To do: Set fsync = on/m);
  expect(out).toMatch(/^ok +migrations +all \d+ are applied$/m);
  expect(out).toMatch(/^warning +settings +NODE_ENV is test\. To do: Set NODE_ENV=production/m);
});

test('recognises the ports of the product with another METRICS_PORT', async () => {
  const ports = await freePorts();
  const running = await startProcess(folder, { ...ports, DATABASE_URL: url, SECRET_KEY, SERVICES: 'api,radius' });
  try {
    const asked = { ...ports, METRICS_PORT: (await freePorts()).METRICS_PORT };
    const { failures, warnings } = await examine(asked);
    expect(failures.filter(it => it.startsWith('ports'))).toEqual([]);
    expect(warnings.filter(it => it.startsWith('ports'))).toEqual([
      expect.stringMatching(
        /^ports: PORT TCP .+, RADIUS_AUTH_PORT UDP .+, RADIUS_ACCT_PORT UDP [^,]+: used by Portico itself \(process \d+\)/,
      ),
    ]);
    // As a process that was started with --services: the settings name all services.
    for (const services of ['api,radius', '']) {
      const served = await examine({ ...ports, SERVICES: services });
      expect(served.failures.filter(it => it.startsWith('ports'))).toEqual([]);
      expect(served.well).toContain('ports: 4 ports of api, radius are served');
    }
  } finally {
    await running.stop();
  }
});

test('reports every problem', async () => {
  await set(`key_fingerprint = '0123456789abcdef', backed_up_at = now() - interval '50 hours'`);
  await api.app.db.pool.query(`update clock set doubted_since = '2026-01-02'`);
  await api.app.db.pool.query(`insert into migrations (name) values ('9999-from-the-future')`);
  onTestFinished(async () => {
    await api.app.db.pool.query(`delete from migrations where name = '9999-from-the-future'`);
    await api.app.db.pool.query('update clock set doubted_since = null');
  });
  const ports = await freePorts();
  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(Number(ports.PORT), '0.0.0.0', resolve));
  const udp = createSocket('udp4');
  await new Promise<void>(resolve => udp.bind(Number(ports.SYSLOG_PORT), resolve));
  const long = new Date('2020-01-01');
  const authority = await makeAuthority('Test', long);
  const old = await issue(
    authority,
    {
      ...{ purpose: 'server', organization: 'Test', commonName: 'localhost' },
      hosts: ['localhost'],
      until: new Date('2020-01-31'),
    },
    long,
  );
  const tls = createTlsServer({ key: old.privateKey, cert: certificatePem(old.certificate) });
  await new Promise<void>(resolve => tls.listen(0, '127.0.0.1', resolve));
  closes.push(
    () => taken.close(),
    () => udp.close(),
    () => tls.close(),
  );
  writeFileSync(path.join(folder, 'secret.key'), 'x');
  chmodSync(path.join(folder, 'secret.key'), 0o644);

  const { ok, failures } = await examine({
    ...ports,
    NODE_ENV: 'production',
    PUBLIC_URL: `https://localhost:${(tls.address() as AddressInfo).port}`,
    CAPTIVE_URL: 'http://wifi.doctor.invalid',
    SMTP_URL: `smtp://user:word@127.0.0.1:${ports.COA_PORT}`,
    ...{ LOG_STORE_URL: `http://127.0.0.1:${ports.COA_PORT}/logs`, LOG_STORE_KEY: 'id', LOG_STORE_SECRET: 'secret' },
    LOG_DATABASE_URL: `http://127.0.0.1:${ports.COA_PORT}/portico`,
  });
  expect(ok).toBe(false);
  const problems = [
    /^settings: PUBLIC_URL is https:\/\/localhost:\d+, which other machines cannot open$/,
    /^folder: .+secret\.key can be read by other users$/,
    /^ports: PORT TCP \[::\]:\d+ is used by another program: .+, process \d+$/,
    /^ports: SYSLOG_PORT UDP \[::\]:\d+ is used by another program: .+, process \d+$/,
    /^dns: wifi\.doctor\.invalid of CAPTIVE_URL has no address: /,
    /^tls: the certificate of PUBLIC_URL expired on 2020-01-31$/,
    /^migrations: the database has 9999-from-the-future, which this version does not know$/,
    /^key: SECRET_KEY has the fingerprint [0-9a-f]{16}, and the database was encrypted with 0123456789abcdef$/,
    /^clock: it jumped ahead, so nothing has been erased since 2026-01-02/,
    /^backup: the last one is 50 hours old$/,
    /^mail: no connection to the mail server: .*ECONNREFUSED/,
    /^log store: .*ECONNREFUSED/,
    /^clickhouse: .*ECONNREFUSED/,
  ];
  for (const problem of problems) expect(failures).toContainEqual(expect.stringMatching(problem));
  expect(failures).toHaveLength(problems.length + unsafe.length);
});

test('names a program that has a web port of the running product', async () => {
  const ports = await freePorts();
  const answer = (text: string, port: string) =>
    createHttpServer((_request, reply) => reply.end(text)).listen(Number(port));
  const servers = [
    answer('{"status":"ok"}', ports.METRICS_PORT),
    answer('{"status":"ok"}', ports.CAPTIVE_PORT),
    answer('It works!', ports.PORT),
  ];
  await Promise.all(servers.map(server => once(server, 'listening')));
  closes.push(...servers.map(server => () => server.close()));
  const { failures } = await examine({ ...ports, SERVICES: 'api,captive' });
  expect(failures.filter(it => it.startsWith('ports'))).toEqual([
    expect.stringMatching(/^ports: PORT TCP .+ is used by another program: .+, process \d+$/),
  ]);
});

test('takes a product that answers late for no other program', async () => {
  const ports = await freePorts();
  const silent = [ports.METRICS_PORT, ports.PORT].map(port => createServer().listen(Number(port)));
  await Promise.all(silent.map(server => once(server, 'listening')));
  closes.push(...silent.map(server => () => server.close()));
  const { failures, warnings } = await examine(ports);
  expect(failures.filter(it => it.startsWith('ports'))).toEqual([]);
  expect(warnings).toContainEqual(
    expect.stringMatching(/^ports: METRICS_PORT \d+ is in use and did not answer in time/),
  );
});

test('reports an unreachable database and a missing key, and creates nothing', async () => {
  rmSync(path.join(folder, 'secret.key'), { force: true });
  const away = await examine({ DATABASE_URL: 'postgresql://portico@127.0.0.1:1/portico' });
  expect(away.failures).toEqual([expect.stringMatching(/^database: no connection: .*ECONNREFUSED/)]);
  const elsewhere = path.join(folder, 'elsewhere');
  const none = await examine({ DATABASE_URL: '', DATA_DIR: elsewhere });
  expect(none.warnings).toContain(`database: no database in ${elsewhere}`);
  mkdirSync(elsewhere);
  const keyless = await examine({ SECRET_KEY: '', DATA_DIR: elsewhere });
  expect(keyless.failures).toContainEqual(expect.stringMatching(/^key: SECRET_KEY is missing/));
});

test('does not blame the database for the time in which it stood still itself', async () => {
  // The first connection to PostgreSQL is refused, and the process sees it only after its own limit of five seconds.
  const standStill = `
    import net from 'node:net';
    const connect = net.Socket.prototype.connect;
    let isFirst = true;
    net.Socket.prototype.connect = function (...args) {
      const made = connect.apply(this, args);
      if (isFirst && Number(args[0]) === 1) {
        isFirst = false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
      }
      return made;
    };`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(standStill)}`;
  const { failures } = await examine({ NODE_OPTIONS, DATABASE_URL: 'postgresql://portico@127.0.0.1:1/portico' });
  expect(failures).toEqual([expect.stringMatching(/^database: no connection: .*ECONNREFUSED/)]);
});

test('says what to do when PostgreSQL has no connection left, or no such database', async () => {
  const { pool } = api.app.db;
  await pool.query('create role no_connection login connection limit 0');
  onTestFinished(async () => void (await pool.query('drop role no_connection')));
  const remedyOf = async (user: string, name: string) => {
    const address = new URL(url);
    address.username = user;
    address.pathname = name;
    return (await examine({ DATABASE_URL: address.href })).remedies['database'];
  };
  const { username, pathname } = new URL(url);
  expect(await remedyOf('no_connection', pathname)).toMatch(/^Raise max_connections or the limit of the role/);
  expect(await remedyOf(username, '/nowhere')).toMatch(/^Create the database/);
});

test('reports invalid settings', async () => {
  const { failures } = await examine({ PORT: 'x' });
  expect(failures).toEqual(['settings: PORT must be a whole number from 1 to 65535']);
});

test('checks the stores of logs, and the certificate of an address', async () => {
  const version = { text: '26.7.1.1' };
  const clickhouse = createHttpServer((_request, reply) => reply.end(JSON.stringify({ version: version.text }))).listen(
    0,
  );
  const store = createHttpServer((_request, reply) => reply.end('<ListBucketResult></ListBucketResult>')).listen(0);
  await Promise.all([clickhouse, store].map(server => once(server, 'listening')));
  closes.push(...[clickhouse, store].map(server => () => server.close()));
  const at = (server: typeof store, name: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  const set = {
    ...{ LOG_STORE_URL: at(store, 'logs'), LOG_STORE_KEY: 'id', LOG_STORE_SECRET: 'secret' },
    LOG_DATABASE_URL: at(clickhouse, 'portico'),
    // Nothing but TLS is wrong with an address: it is no server name.
    PUBLIC_URL: at(store, '').replace('http:', 'https:'),
  };
  const first = await examine(set);
  expect(first.well).toEqual(expect.arrayContaining(['log store: it can be listed', 'clickhouse: version 26.7.1.1']));
  expect(first.failures).toContainEqual(expect.stringMatching(/^tls: PUBLIC_URL does not answer over TLS/));
  version.text = '22.8.1.1';
  expect((await examine(set)).failures).toContain('clickhouse: version 22.8.1.1 is too old');
});
