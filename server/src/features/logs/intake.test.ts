import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from '../../services/syslog.ts';
import { makeDevice, until } from './fixture.ts';

let api: TestApi;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
const start = () => startSyslog(api.app, { port: 0, gatherMs: 50 });

beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
});
afterAll(() => syslog.stop());

const udp = (lines: readonly (string | Buffer)[], port = syslog.port) =>
  new Promise<void>(resolve => {
    const socket = createSocket('udp4');
    let left = lines.length;
    for (const line of lines) socket.send(line, port, '127.0.0.1', () => --left === 0 && socket.close(() => resolve()));
  });
const tcp = (chunks: readonly (string | Buffer)[]) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(syslog.port, '127.0.0.1', async () => {
      for (const chunk of chunks) {
        socket.write(chunk);
        await new Promise(r => setTimeout(r, 5));
      }
      socket.end(() => resolve());
    });
    socket.on('error', reject);
  });
const rawOf = (tenant: string, device: string): string => {
  const folder = path.join(api.app.settings.DATA_DIR, 'logs', tenant, device, 'raw');
  return readdirSync(folder)
    .sort()
    .map(file => readFileSync(path.join(folder, file), 'latin1'))
    .join('');
};
const linesOf = (device: string) =>
  api.inTenant(
    async tx =>
      (await tx.one<{ n: number }>(sql`select coalesce(sum(lines), 0) as n from log_files where device_id = ${device}`))
        .n,
  );
const dropped = async (reason: string): Promise<number> => {
  const metric = await registry.getSingleMetric('portico_log_dropped_total')?.get();
  return metric?.values.find(value => value.labels['reason'] === reason)?.value ?? 0;
};

describe('the log door', () => {
  test('keeps what known devices send, over UDP and TCP, and counts it', async () => {
    const device = await makeDevice(api, { nas: 'hotel0001a' });
    syslog = await start();
    const head = `<134>Oct 21 09:30:00 ${device.nas}`;
    await udp([
      `${head} forward: in:guest out:wan, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), 10.5.50.9:50000->142.250.1.1:443, len 60`,
      `<30>Oct 21 09:30:00 router ${device.nas}: dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:FF phone`,
      `dns,info ${device.nas}: dns done query: #12 www.youtube.com 142.250.1.1\n`,
      `<134>1 2026-10-21T09:30:00Z ${device.nas} - - - - forward: in:guest out:wan, proto TCP (SYN), 10.5.50.9:50001->142.250.1.1:443, len 60`,
    ]);
    const proxy = `<134>Oct 21 09:30:00 ${device.nas} 10.5.50.9 GET http://example.com.tr/x  action=allow cache=MISS`;
    await tcp([
      `${proxy}\n${proxy.length} ${proxy}`,
      `${proxy.length} ${proxy.slice(0, 20)}`,
      `${proxy.slice(20)}${proxy}`,
      '\n',
    ]);
    await until(async () => (await linesOf(device.id)) === 8);
    expect(rawOf(device.tenantId, device.id).trim().split('\n')).toHaveLength(8);
    const types = await api.inTenant(tx =>
      tx.many(sql`select type, lines from log_files where device_id = ${device.id} order by type`),
    );
    expect(types).toEqual([
      { type: 'dhcp', lines: 1 },
      { type: 'dns', lines: 1 },
      { type: 'firewall', lines: 2 },
      { type: 'proxy', lines: 4 },
    ]);
    const tops = await api.inTenant(tx =>
      tx.many(sql`select kind, name, connections from log_tops where device_id = ${device.id} order by 1, 2`),
    );
    expect(tops).toContainEqual({ kind: 'website', name: 'example.com.tr', connections: 4 });
    expect(tops).toContainEqual({ kind: 'website', name: 'youtube.com', connections: 1 });
    expect(tops).toContainEqual({ kind: 'application', name: 'YouTube', connections: 1 });
  });
});
