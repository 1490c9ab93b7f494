import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** Free space that the mocked statfs reports; undefined for the real value. */
const disk = { free: Number.POSITIVE_INFINITY };
vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    statfs: async (folder: string) => {
      const { bavail, bsize } = await real.statfs(folder);
      return { bavail: Math.min(bavail, disk.free / bsize), bsize };
    },
  };
});
const { startSyslog } = await import('./syslog.ts');

let api: TestApi;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
});
afterAll(() => syslog.stop());

test('on a full disk lines are dropped and the panel reports it; with free space lines are stored again', async () => {
  const device = await makeDevice(api, { nas: 'fulldisk1' });
  const { token } = await api.user('tenant-admin');
  const record = async () => {
    const { status, body } = await api.get(`panel/device/${device.id}/logs/record`, { token });
    expect(status).toBe(200);
    return body.data as { lost: { reason: string; lines: number }[]; last_line_at: string | null };
  };
  disk.free = 1 << 20;
  syslog = await startSyslog(api.app, { port: 0, gatherMs: 50, dropReportMs: 50 });
  const socket = createSocket('udp4');
  const send = () =>
    new Promise<void>(resolve => {
      const line = `<134>Oct 21 09:30:00 ${device.nas} dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:FF phone`;
      socket.send(line, syslog.port, '127.0.0.1', () => resolve());
    });
  let sent = 0;
  await until(async () => {
    await send();
    sent++;
    return (await record()).lost.length > 0;
  });
  const lost = async () => (await record()).lost.reduce((sum, row) => sum + row.lines, 0);
  expect((await record()).lost.map(row => row.reason)).toEqual(['disk_full']);
  disk.free = Number.POSITIVE_INFINITY;
  await until(async () => {
    await send();
    sent++;
    return (await record()).last_line_at !== null;
  });
  socket.close();
  const kept = async () =>
    (await api.get(`panel/device/${device.id}/logs`, { token })).body.data.reduce(
      (sum: number, file: { lines: number }) => sum + file.lines,
      0,
    );
  await until(async () => (await kept()) + (await lost()) === sent);
});
