import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { line, makeDevice } from '#features/logs/testing/fixture.ts';
import { registry } from '#lib/metrics.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from './syslog.ts';

let api: TestApi;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
let sockets: Socket[];

beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
});
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  vi.useRealTimers();
  await syslog.stop();
});
const start = async () => {
  syslog = await startSyslog(api.app, { port: 0, gatherMs: 50 });
};

async function open(from: string): Promise<Socket> {
  const socket = connect({ port: syslog.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}
async function sendUdp(text: string): Promise<void> {
  const socket = createSocket('udp4');
  await new Promise(sent => socket.send(text, syslog.port, '127.0.0.1', sent));
  socket.close();
}
/** A line as the router with this name sends it. */
const sentBy = (nas: string, text: string) => text.replace(' nas ', ` ${nas} `);

/** The metrics of the log service have no device, so other tests of the process count too. */
async function value(name: string, labels: Record<string, string> = {}): Promise<number> {
  const found = await registry.getSingleMetric(`portico_log_${name}`)?.get();
  const has = (it: { labels: object }) =>
    Object.entries(labels).every(([key, of]) => Reflect.get(it.labels, key) === of);
  return found?.values.find(has)?.value ?? 0;
}
/** How much a metric has grown since. */
async function growth(name: string, labels: Record<string, string> = {}): Promise<() => Promise<number>> {
  const before = await value(name, labels);
  return async () => (await value(name, labels)) - before;
}

test('lines are counted by transport, those that were cut too, and by type when they are read', async () => {
  const { nas } = await makeDevice(api, { nas: 'metrics01' });
  await start();
  const of = {
    udp: await growth('lines_total', { transport: 'udp' }),
    tcp: await growth('lines_total', { transport: 'tcp' }),
    cutUdp: await growth('cut_total', { transport: 'udp' }),
    cutTcp: await growth('cut_total', { transport: 'tcp' }),
    dhcp: await growth('read_total', { type: 'dhcp' }),
    firewall: await growth('read_total', { type: 'firewall' }),
  };
  const counted = async () =>
    Object.fromEntries(await Promise.all(Object.entries(of).map(async ([key, it]) => [key, await it()])));
  const firewall = sentBy(nas, line.firewall());
  await sendUdp(sentBy(nas, line.dhcp()));
  await sendUdp(sentBy(nas, line.dhcp()));
  await sendUdp(firewall);
  (await open('127.0.0.1')).write(`${firewall}\n${firewall}${'x'.repeat(9000)}\n`);
  await expect.poll(counted).toEqual({ udp: 3, tcp: 2, cutUdp: 0, cutTcp: 1, dhcp: 2, firewall: 3 });
});

test('connections that are closed at the limit of their address are counted by reason', async () => {
  const [address, limit] = ['127.0.7.7', 100];
  const { nas } = await makeDevice(api, { nas: 'metrics02', address });
  await start();
  const [pushedOut, refused, stored] = [
    await growth('connections_refused_total', { reason: 'pushed_out' }),
    await growth('connections_refused_total', { reason: 'address' }),
    await growth('lines_total', { transport: 'tcp' }),
  ];
  for (let i = 0; i < limit; i += 1) await open(address);
  await open(address);
  await expect.poll(pushedOut, { message: 'the oldest one, which sent no line' }).toBe(1);
  await expect.poll(() => sockets[0]!.closed).toBe(true);
  for (const socket of sockets.slice(1)) socket.write(`${sentBy(nas, line.dhcp())}\n`);
  await expect.poll(stored).toBe(limit);
  const late = await open(address);
  await expect.poll(refused, { message: 'all others sent lines of a known device' }).toBe(1);
  await expect.poll(() => late.closed).toBe(true);
  expect(await pushedOut()).toBe(1);
});

test('gauges say what waits for the disk and for the database, and how many routers are connected', async () => {
  const device = await makeDevice(api, { nas: 'metrics03' });
  // The gauges are set every five seconds.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const now = (name: string) => {
    vi.advanceTimersByTime(5000);
    return value(name);
  };
  await start();
  const router = await open('127.0.0.1');
  await expect.poll(() => now('tcp_connections')).toBe(1);
  await open('127.0.0.1');
  await expect.poll(() => now('tcp_connections')).toBe(2);
  await expect.poll(() => now('disk_free_bytes')).toBeGreaterThan(0);
  await expect.poll(() => now('waiting_bytes')).toBe(0);

  const [failedWrites, failedCommits] = [
    await growth('errors_total', { where: 'write' }),
    await growth('errors_total', { where: 'commit_failed' }),
  ];
  const folder = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id);
  mkdirSync(path.dirname(folder), { recursive: true });
  writeFileSync(folder, 'no folder can be made here');
  await api.app.db.pool.query('alter table log_hours rename to log_hours_away');
  const text = sentBy(device.nas, line.dhcp());
  router.write(`${text}\n`);
  await expect.poll(failedWrites).toBeGreaterThan(0);
  await expect.poll(() => now('waiting_bytes')).toBeGreaterThan(text.length);
  rmSync(folder);
  await expect.poll(() => now('waiting_bytes')).toBe(0);
  await expect.poll(failedCommits).toBeGreaterThan(0);
  await expect.poll(() => now('unread_bytes')).toBeGreaterThan(text.length);
  await api.app.db.pool.query('alter table log_hours_away rename to log_hours');
  await expect.poll(() => now('unread_bytes')).toBe(0);
});
