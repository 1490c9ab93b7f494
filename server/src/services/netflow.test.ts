import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { registry } from '#lib/metrics.ts';
import { fields, flow, v9 } from '#syslog/testing/netflow-packets.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from './syslog.ts';

let api: TestApi;
let listener: Awaited<ReturnType<typeof startSyslog>>;
beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
});
afterAll(() => listener?.stop());

const send = (port: number | undefined, messages: readonly (string | Buffer)[]) =>
  new Promise<void>(resolve => {
    const socket = createSocket('udp4');
    let left = messages.length;
    for (const message of messages)
      socket.send(message, port ?? 0, '127.0.0.1', () => --left === 0 && socket.close(() => resolve()));
  });
const strangers = async (): Promise<number> =>
  (await registry.getSingleMetric('portico_log_dropped_total')?.get())?.values.find(
    value => value.labels['reason'] === 'unknown_exporter',
  )?.value ?? 0;
const start = async () => {
  await listener?.stop();
  listener = await startSyslog(api.app, { port: 0, netflowPort: 0, gatherMs: 50, dropReportMs: 50 });
};

test('flows count for the site of the DNS answer; those of unknown devices, between guests and between strangers do not', async () => {
  const device = await makeDevice(api, { nas: 'flows001', address: '127.0.0.1' });
  await start();
  const { token } = await api.user('tenant-admin');
  const popular = async (kind: string) =>
    (await api.get(`panel/device/${device.id}/logs/popular_${kind}`, { token })).body.data;
  await send(listener.port, [
    `<30>Oct 21 09:30:00 ${device.nas} ${device.nas}: done query: #12 www.youtube.com 142.250.1.1`,
    `<134>Oct 21 09:30:00 ${device.nas} forward: in:guest out:wan, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto UDP, 10.5.50.9:50000->142.250.1.1:443, len 60`,
  ]);
  await until(async () => (await popular('website'))[0]?.connections === 1);
  await send(listener.netflowPort, [
    v9({
      template: fields,
      flows: [
        flow('10.5.50.9', '142.250.1.1', 1500),
        flow('142.250.1.1', '10.5.50.9', 900_000),
        flow('10.5.50.9', '10.5.50.8', 77),
        flow('9.9.9.9', '142.250.1.1', 77),
        flow('10.5.50.9', '8.8.4.4', 77),
      ],
    }),
    Buffer.from('junk'),
  ]);
  await until(async () => (await popular('website'))[0]?.total > 0);
  const row = { recv: 900_000, sent: 1500, total: 901_500, connections: 1 };
  expect(await popular('website')).toEqual([{ domain: 'youtube.com', ...row }]);
  expect(await popular('application')).toEqual([{ domain: 'YouTube', ...row }]);

  await send(listener.port, [
    `<30>Oct 21 09:30:00 ${device.nas} ${device.nas}: done query: #13 www.google.com 2a00:1450::1`,
  ]);
  const [site, guest] = ['2a001450000000000000000000000001', '20010db8005000000000000000000023'];
  const ports = Buffer.from([1, 0xbb, 0xc3, 0x50, 0, 0, 4, 0xb0]);
  const longFields = [27, 28, 7, 11, 1].map((type, i) => [type, [16, 16, 2, 2, 4][i]!] as const);
  // The answer is read a moment after it arrives.
  await until(async () => {
    await send(listener.netflowPort, [
      v9({ template: longFields, flows: [Buffer.concat([Buffer.from(site + guest, 'hex'), ports])] }, 257),
    ]);
    return (await popular('website')).some(
      (it: { domain: string; recv: number }) => it.domain === 'google.com' && it.recv >= 1200,
    );
  });

  // With a second device at the address the flows are ambiguous.
  await makeDevice(api, { nas: 'flows002', address: '127.0.0.1' });
  await start();
  const before = await strangers();
  await send(listener.netflowPort, [v9({ template: fields, flows: [flow('10.5.50.9', '142.250.1.1', 1500)] })]);
  await until(async () => (await strangers()) === before + 1);
  expect((await popular('website'))[0].sent).toBe(1500);
  const record = async () => (await api.get(`panel/device/${device.id}/logs/record`, { token })).body.data;
  await until(async () => (await record()).unknown_flows === 1);
});
