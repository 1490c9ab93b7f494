import { createSocket } from 'node:dgram';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice, readRaw, until } from '#features/logs/testing/fixture.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from '../../services/syslog.ts';

/**
 * The attack: an operator of another tenant or customer has a router. The operator trusts the address of a venue's router, or
 * the network around it, for it. Lines that name no device would belong to either router, and to neither record.
 */
const router = '127.44.0.1';

let api: TestApi;
let victim: Awaited<ReturnType<typeof makeDevice>>;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
beforeAll(async () => {
  api = await startApi({ UDP_HOST: '0.0.0.0' });
  victim = await makeDevice(api, { nas: 'claim0001a', address: router });
  syslog = await startSyslog(api.app, { port: 0, gatherMs: 50, dropReportMs: 50 });
});
afterAll(() => syslog?.stop());

const send = async (line: string, from = router): Promise<void> => {
  const socket = createSocket('udp4');
  await new Promise<void>(resolve => socket.bind(0, from, resolve));
  await new Promise<void>(resolve => socket.send(line, syslog.port, '127.0.0.1', () => resolve()));
  await new Promise<void>(resolve => socket.close(() => resolve()));
};
const recordOf = (device: { tenantId: string; id: string }) => readRaw(api, device);
/** Sends a line that names no device until a record has it. */
const arrives = (text: string, where: { tenantId: string; id: string }) =>
  until(async () => {
    await send(`<134>Oct 21 09:30:00 gateway dhcp,info ${text}`);
    return recordOf(where).includes(text);
  });

test.each([
  ['the address, by another tenant', 'rival', router],
  ['the network around it, by another tenant', 'rival', '127.44.0.0/20'],
  ['the address, by another customer of the tenant', 'panel', router],
])('%s: the lines stay in the record of the router that proves it', async (name, tenant, address) => {
  const token = (await api.user('tenant-admin', { tenant })).token;
  const nas = `claim${name.length}${tenant}`;
  const own = await makeDevice(api, { nas, tenant, proven: false });
  const trusted = await api.post(`panel/device/${own.id}/log-sources`, { tenant, token, body: { address } });
  expect(trusted.status, trusted.text).toBe(201);
  // Its own lines arrive, so the service has read the claim.
  await until(async () => {
    await send(`<134>Oct 21 09:30:00 ${nas} hello`);
    return recordOf(own).includes('hello');
  });
  const text = `line after the claim of ${nas}`;
  await arrives(text, victim);
  expect(recordOf(own)).not.toContain(text);
});

test('a second router of the same location at the address stays ambiguous', async () => {
  const near = await makeDevice(api, { nas: 'claim0002a', address: '127.0.0.9', location: victim.location });
  const token = (await api.user('tenant-admin')).token;
  await api.post(`panel/device/${near.id}/log-sources`, { token, body: { address: router } });
  const lost = async () => (await api.get(`panel/device/${victim.id}/logs/record`, { token })).body.data.lost;
  await until(async () => {
    await send('<134>Oct 21 09:30:00 gateway dhcp,info of either');
    return (await lost()).some((row: { reason: string }) => row.reason === 'unnamed');
  });
  await api.inTenant(tx => tx.run(sql`delete from log_sources where device_id = ${near.id}`));
});
