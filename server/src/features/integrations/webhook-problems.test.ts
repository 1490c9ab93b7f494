import { type WebhookEvent, webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { mayErase } from '#features/clock/public.ts';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { unknownDeviceHandlers } from '#features/unknown-devices/public.ts';
import type { Body } from '#test/harness.ts';
import { jobs, runJob } from '../../services/jobs.ts';

/** Events that no row tells. Jobs find them again and again, and each webhook gets them once. */

let venue: Venue;
let local: string;
let wide: string;

const hook = async (location: string | null): Promise<string> => {
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events: webhookEvents } };
  const form = { name: 'CRM', location_id: location, integration_id: 'webhook', params };
  return (await venue.create('panel/integration', form)).id;
};
const told = async (webhook: string, event: WebhookEvent): Promise<Body[]> => {
  const rows = await venue.rows<{ body: string }>(
    sql`select body from webhook_deliveries where integration_id = ${webhook} and event = ${event} order by created_at, id`,
  );
  return rows.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: Body };
    expect(webhookPayloads[event].data.strict().safeParse(data).error?.issues, body).toBeUndefined();
    return data;
  });
};
const twice = async (name: string) => {
  const job = jobs.find(it => it.name === name)!;
  for (let i = 0; i < 2; i++) await runJob(venue.api.app, job);
};
/** Expects one event for each of the two webhooks. */
const once = async (event: WebhookEvent, data: object) => {
  for (const webhook of [local, wide]) expect(await told(webhook, event)).toEqual([data]);
};

beforeAll(async () => {
  venue = await startVenue({ MAILS_PER_DAY: '10' });
  local = await hook(venue.location);
  wide = await hook(null);
}, 120_000);
newGuestEachTest(() => venue);

const ofDevice = () => ({ location_id: venue.location, device_id: venue.device.id, name: venue.device.name });

test('log lines from an address that the device has not proven', async () => {
  await venue.run(sql`insert into log_quarantine (device_id, address, lines, first_at, last_at)
    values (${venue.device.id}, '203.0.113.66', 4, now() - interval '11 minutes', now())`);
  await twice('notify about quarantined log lines');
  await once('log_source.quarantined', { ...ofDevice(), address: '203.0.113.66', lines: 4 });
});

test('a device that sends no log lines any more', async () => {
  await venue.run(sql`update devices set last_seen_at = now(), down_since = null where id = ${venue.device.id}`);
  const tenant = await venue.api.tenantId('panel');
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`insert into log_hours (tenant_id, device_id, hour, lines, minutes)
      values (${tenant}, ${venue.device.id}, date_trunc('hour', now() - interval '30 hours'), 5, array_fill(0, array[60]))`),
  );
  await twice('tell problems');
  await once('log_record.silent', { ...ofDevice(), last_line_at: expect.any(String) });
});

test('sign-ins that fail more often than before, with the name of the location', async () => {
  const fail = (count: number) =>
    venue.run(sql`insert into failed_logins (location_id, device_id, provider_slug, reason)
      select ${venue.location}, ${venue.device.id}, 'username', 'wrong_password' from generate_series(1, ${count}::int)`);
  await venue.run(sql`delete from failed_logins`);
  await fail(9);
  await twice('tell problems');
  expect(await told(local, 'failed_sign_ins.rising')).toEqual([]);
  await fail(1);
  await twice('tell problems');
  const [{ name }] = (await venue.rows<{ name: string }>(
    sql`select name from locations where id = ${venue.location}`,
  )) as [{ name: string }];
  await once('failed_sign_ins.rising', { location_id: venue.location, name, failed: 10 });
});

test('a hotspot address that the device has not used', async () => {
  await venue.run(sql`update devices set hotspot_address = null, login_hosts = '{10.5.50.1}', login_hosts_at = now() - interval '25 hours'
    where id = ${venue.device.id}`);
  const at = venue.arrival().replace(/login=[^&]*/, `login=${encodeURIComponent('http://10.66.6.6/login')}`);
  for (let i = 0; i < 2; i++) expect((await venue.captive.get(at)).status).toBe(400);
  const { id, name } = venue.device;
  await once('device.host_refused', { id, location_id: venue.location, name, host: '10.66.6.6' });
});

test('an unknown router at an address of the tenant: one event a day under any name, and for the tenant alone', async () => {
  await venue.run(
    sql`insert into log_sources (device_id, network, proof) values (${venue.device.id}, '203.0.113.7', 'radius')`,
  );
  const hear = (...names: string[]) =>
    unknownDeviceHandlers(venue.api.app).unknownDevices(
      names.map(nasIdentifier => ({
        ...{ sourceIp: '203.0.113.7', nasIdentifier, proxy: undefined, packets: 3 },
        ...{ firstAt: new Date(), lastAt: new Date() },
      })),
    );
  await hear('new-ap');
  await twice('tell unknown devices');
  await hear('made-up-1', 'made-up-2');
  await twice('tell unknown devices');
  expect(await told(wide, 'unknown_device.seen')).toEqual([
    {
      ...{ location_id: null, nas_identifier: 'new-ap', address: '203.0.113.7', packets: 3 },
      ...{ proxy_id: null, device_id: venue.device.id, first_at: expect.any(String) },
    },
  ]);
  expect(await told(local, 'unknown_device.seen')).toEqual([]);
});

test('mails that reach the limit of the day, at 80 and at 100 %', async () => {
  const queue = (count: number) =>
    venue.run(sql`insert into outbox_mails (id, address, language, template, data)
      select new_id(), 'a@example.com', 'en', 'invitation', '{}' from generate_series(1, ${count}::int)`);
  await venue.run(sql`delete from outbox_mails`);
  await queue(8);
  await twice('mail limits');
  await queue(2);
  await twice('mail limits');
  expect(await told(wide, 'mail.limit')).toEqual([
    { location_id: null, percent: 80, used: 8, limit: 10 },
    { location_id: null, percent: 100, used: 10, limit: 10 },
  ]);
  expect(await told(local, 'mail.limit')).toEqual([]);
});

test('a clock that is far from the last known time', async () => {
  const system = (query: ReturnType<typeof sql>) => venue.api.app.db.withSystem(tx => tx.run(query));
  await system(
    sql`update clock set known_at = now() - interval '400 days', checked_at = known_at, doubted_since = null`,
  );
  for (let i = 0; i < 2; i++) expect(await mayErase(venue.api.app)).toBe(false);
  await system(sql`update clock set known_at = now(), checked_at = now(), doubted_since = null`);
  const known = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10);
  expect(await told(wide, 'clock.doubted')).toEqual([
    { location_id: null, known, now: new Date().toISOString().slice(0, 10) },
  ]);
});
