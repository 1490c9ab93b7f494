import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { startApi } from '#test/harness.ts';
import { logJobs } from '../logs/logs.jobs.ts';
import { feed, makeDevice } from '../logs/testing/fixture.ts';

const api = await startApi();
const { token } = await api.user('tenant-admin');
const at = '2026-03-10T06:30:00.000Z';
const publicAddress = '203.0.113.5';

test('lines from before a change of the brand are read with the words of that time', async () => {
  const location = await api.location(token, 'Otel');
  const device = await makeDevice(api, { nas: 'brand001', location, address: publicAddress });
  const guest = { name: 'Can Öz', provider_type: 'username', username: 'can', password: 'secret1' };
  await api.post('panel/client', { token, body: { location_id: location, ...guest } });
  await recordPast(api.app, device.tenantId, [
    {
      ...{ deviceId: device.id, username: 'can', mac: 'A0:00:00:00:00:02', ip: '10.5.50.10', sessionId: 's1' },
      ...{ startedAt: new Date(Date.parse(at) - 1_800_000), seconds: 3600, upload: 1, download: 1 },
    },
  ]);
  const line = `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:established,snat proto TCP (ACK), 10.5.50.10:50001->93.184.216.34:443, NAT (10.5.50.10:50001->${publicAddress}:61001)->93.184.216.34:443, len 52`;
  await feed(api, device, [{ at, line }], { transport: 'tls', proof: 'certificate' });
  const found = async () => {
    const body = { at, address: publicAddress, port: 61001, reason: 'Dosya 7' };
    const { body: answer } = await api.post('panel/reports/who-was-it', { token, body });
    return answer.data.matches.map((it: { tie: string; guest: { name: string }; certain: boolean }) => [
      it.tie,
      it.guest.name,
      it.certain,
    ]);
  };
  const can = [['translation', 'Can Öz', true]];
  const files = async () =>
    (await api.get(`panel/device/${device.id}/logs?types=firewall`, { token })).body.data.map(
      (it: { type: string; sealed: boolean }) => [it.type, it.sealed],
    );
  expect(await found()).toEqual(can);

  const { data } = (await api.get('panel/device/brands', { token })).body;
  const change = async (slug: string, mac_address: string) => {
    const brand = data.find((it: { slug: string }) => it.slug === slug);
    const body = { brand_id: brand.id, model_id: null, mac_address };
    expect((await api.put(`panel/device/${device.id}`, { token, body })).status).toBe(200);
  };
  await change('pfsense', 'A0:00:00:00:01:01');
  expect(await found(), 'not sealed').toEqual(can);
  await logJobs.find(job => job.name === 'seal log files')!.run(api.app);
  expect(await files()).toEqual([['firewall', true]]);
  expect(await found(), 'sealed').toEqual(can);

  // The day of a change has lines of both brands.
  const changedAt = (moment: string) =>
    api.inTenant(tx =>
      tx.run(sql`update devices set former_brands = jsonb_set(former_brands, '{0,until}', to_jsonb(${moment}::text))`),
    );
  await changedAt('2026-03-10T20:00:00Z');
  expect(await found(), 'on the day of the change').toEqual([['translation', 'Can Öz', false]]);

  // Later lines are the new brand's, and RouterOS' words in them may be the name of a guest's device.
  await changedAt('2026-03-08T06:30:00Z');
  expect(await found(), 'after the change').toEqual([['behind', 'Can Öz', false]]);
  await change('mikrotik', 'A0:00:00:00:01:02');
  expect(await found(), 'between two changes').toEqual([['behind', 'Can Öz', false]]);
});
