import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice, readRaw, until } from '#features/logs/testing/fixture.ts';
import { registry } from '#lib/metrics.ts';
import { openListener } from '#syslog/listener.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from './syslog.ts';
import { syslogTls } from './syslog-tls.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => path.join(folder, name);
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe', cwd: folder });

/** Makes an authority, or a certificate issued by one, as <name>.crt and <name>.key. */
function certify(name: string, commonName: string, by?: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  const signer = by ? ['-CA', `${by}.crt`, '-CAkey', `${by}.key`] : [];
  openssl('req', '-x509', ...key, ...signer, '-days', '2', '-subj', `/CN=${commonName}`, '-out', `${name}.crt`);
}
const pair = (name: string) => ({ cert: readFileSync(file(`${name}.crt`)), key: readFileSync(file(`${name}.key`)) });

let api: TestApi;
beforeAll(async () => {
  certify('authority', 'Authority of tests');
  certify('impostor', 'Authority of tests');
  certify('listener', 'localhost', 'authority');
  api = await startApi({ UDP_HOST: '127.0.0.1', SYSLOG_TLS_PORT: '6514' });
});

const start = (more: Record<string, string> = {}) =>
  startSyslog({ ...api.app, settings: { ...api.app.settings, ...more } }, { port: 0, tlsPort: 0, gatherMs: 50 });
/** Sends messages with octet counting (RFC 5425 section 4.3); rejects when the server refuses. */
const send = (port: number | undefined, lines: readonly string[], options: ConnectionOptions) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect({ port: port ?? 0, host: '127.0.0.1', checkServerIdentity: () => undefined, ...options });
    socket.on('error', reject);
    // TLS 1.3 refuses a client certificate after the handshake, so wait for the end.
    socket.on('close', failed => (failed ? reject(new Error('closed')) : resolve()));
    socket.resume();
    socket.end(lines.map(line => `${line.length} ${line}`).join(''));
  });
const rawOf = (device: { tenantId: string; id: string }) => readRaw(api, device);
const firewall = (nas: string, n = 1) =>
  `<134>1 2026-10-21T09:30:00Z ${nas} - - - - forward: in:guest out:wan, proto TCP (SYN), 10.5.50.9:${n}->142.250.1.1:443, len 60`;
const unknown = async (): Promise<number> =>
  (await registry.getSingleMetric('portico_log_dropped_total')?.get())?.values.find(
    value => value.labels['reason'] === 'unknown_sender',
  )?.value ?? 0;

const refused = async (): Promise<number> =>
  (await registry.getSingleMetric('portico_log_tls_refused_total')?.get())?.values[0]?.value ?? 0;

test('without certificate files the service makes a certificate once, and receives encrypted lines', async () => {
  const device = await makeDevice(api, { nas: 'secure001' });
  const made = path.join(api.app.settings.DATA_DIR, 'tls/syslog.crt');
  let listener = await start();
  const ca = readFileSync(made);
  expect(statSync(made.replace('.crt', '.key')).mode & 0o077).toBe(0);
  await send(listener.tlsPort, [firewall(device.nas), firewall(device.nas, 2)], { ca });
  await expect(send(listener.tlsPort, [firewall(device.nas)], { ca: pair('authority').cert })).rejects.toThrow(
    /certificate/,
  );
  await until(() => rawOf(device).split('\n').length === 3);
  await listener.stop();
  listener = await start();
  expect(readFileSync(made)).toEqual(ca);
  // A client without TLS is disconnected; others are not affected.
  await new Promise<void>(resolve => {
    const plain = connectTcp(listener.tlsPort ?? 0, '127.0.0.1', () => plain.write(`${firewall(device.nas)}\n`));
    plain.on('error', () => undefined);
    plain.on('close', () => resolve());
    plain.resume();
  });
  await send(listener.tlsPort, [firewall(device.nas, 3)], { ca, maxVersion: 'TLSv1.2' });
  await until(() => rawOf(device).split('\n').length === 4);
  await listener.stop();
});

test('with an authority, a sender is the device named by its certificate', async () => {
  const device = await makeDevice(api, { nas: 'secure002' });
  const victim = await makeDevice(api, { nas: 'secure003' });
  certify('router', device.nas, 'authority');
  certify('stranger', 'secure999', 'authority');
  certify('forged', victim.nas, 'impostor');
  const listener = await start({
    SYSLOG_TLS_CERT: file('listener.crt'),
    SYSLOG_TLS_KEY: file('listener.key'),
    SYSLOG_TLS_CA: file('authority.crt'),
  });
  const { cert: ca } = pair('authority');
  const before = await unknown();
  const refusedBefore = await refused();
  await send(listener.tlsPort, [firewall(device.nas), firewall(victim.nas)], { ca, ...pair('router') });
  await send(listener.tlsPort, [firewall(victim.nas)], { ca, ...pair('stranger') });
  // In TLS 1.3 the client may not see the refusal; what matters is that none of its lines arrived.
  for (const uncertified of [{ ca }, { ca, ...pair('forged') }])
    await send(listener.tlsPort, [firewall(victim.nas)], uncertified).catch(() => undefined);
  for (const uncertified of [{ ca }, { ca, ...pair('forged') }])
    await expect(
      send(listener.tlsPort, [firewall(victim.nas)], { ...uncertified, maxVersion: 'TLSv1.2' }),
    ).rejects.toThrow();
  await send(listener.tlsPort, [firewall(device.nas, 2)], { ca, ...pair('router') });
  await until(() => rawOf(device).split('\n').length === 4);
  expect(await unknown()).toBe(before + 1);
  expect((await refused()) - refusedBefore, 'two of each kind').toBe(4);
  expect(rawOf(victim)).toBe('');
  await listener.stop();
});

test('without an authority, a sender may show the certificate that was issued to its device', async () => {
  const device = await makeDevice(api, { nas: 'secure004' });
  const victim = await makeDevice(api, { nas: 'secure005' });
  const { token } = await api.user('tenant-admin');
  const at = `panel/device/${device.id}/certificates`;
  const made = await api.post(at, { token, body: { name: 'Syslog' } });
  expect(made.status, made.text).toBe(201);
  const own = { cert: made.body.data.certificate, key: made.body.data.private_key };
  certify('self-made', victim.nas);
  const listener = await start();
  const ca = readFileSync(path.join(api.app.settings.DATA_DIR, 'tls/syslog.crt'));
  // The lines of a device with a certificate count from any address, and only as its own.
  await api.app.db.withSystem(tx => tx.run(sql`delete from log_sources`));
  await send(listener.tlsPort, [firewall(device.nas), firewall(victim.nas)], { ca, ...own });
  await until(() => rawOf(device).split('\n').length === 3);
  expect(rawOf(device)).toContain(',tls,certificate');
  const before = await unknown();
  await send(listener.tlsPort, [firewall(victim.nas)], { ca, ...pair('self-made') });
  await until(async () => (await unknown()) === before + 1);

  const open = connect({
    port: listener.tlsPort ?? 0,
    host: '127.0.0.1',
    ca,
    checkServerIdentity: () => undefined,
    ...own,
  });
  const line = firewall(device.nas, 9);
  open.write(`${line.length} ${line}`);
  await until(() => rawOf(device).split('\n').length === 4);
  const { id } = made.body.data;
  expect((await api.post(`${at}/${id}/revoke`, { token, body: {} })).status).toBeLessThan(300);
  await until(async () => {
    open.write(`${line.length} ${line}`);
    return (await unknown()) > before + 1;
  });
  open.destroy();
  expect(rawOf(victim)).toBe('');
  await listener.stop();
});

test('a connection without a handshake is closed', async () => {
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    maxBytes: 2048,
    receive: () => undefined,
    overloaded: () => false,
    failed: () => undefined,
    tls: { port: 0, cert: pair('listener').cert.toString(), key: pair('listener').key.toString(), handshakeMs: 100 },
  });
  const silent = connectTcp(listener.tlsPort ?? 0, '127.0.0.1');
  let isClosed = false;
  silent.resume().on('close', () => {
    isClosed = true;
  });
  await expect.poll(() => isClosed).toBe(true);
  await listener.close();
});

test('unusable settings are reported by name before the service starts', async () => {
  writeFileSync(file('nonsense.pem'), 'nonsense');
  const set = (more: Record<string, string>) => syslogTls({ ...api.app.settings, ...more });
  const right = { SYSLOG_TLS_CERT: file('listener.crt'), SYSLOG_TLS_KEY: file('listener.key') };
  await expect(set({ ...right, SYSLOG_TLS_KEY: file('none.key') })).rejects.toThrow(
    'SYSLOG_TLS_KEY must be a file that can be read',
  );
  await expect(set({ ...right, SYSLOG_TLS_KEY: file('authority.key') })).rejects.toThrow(
    'SYSLOG_TLS_CERT must be a certificate in PEM',
  );
  await expect(set({ ...right, SYSLOG_TLS_CERT: file('nonsense.pem') })).rejects.toThrow('SYSLOG_TLS_CERT must be');
  await expect(set({ ...right, SYSLOG_TLS_CA: file('nonsense.pem') })).rejects.toThrow(
    'SYSLOG_TLS_CA must be a certificate in PEM',
  );
  expect(await syslogTls({ ...api.app.settings, SYSLOG_TLS_PORT: undefined })).toBeUndefined();
});
