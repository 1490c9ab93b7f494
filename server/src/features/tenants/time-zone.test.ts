import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { farZones } from '#test/far-zones.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { mailDigests } from '../notifications/mails.service.ts';

const { ahead, behind } = farZones();

let api: TestApi;
let token: string;
const places: Record<string, string> = {};
beforeAll(async () => {
  api = await startApi();
  ({ token } = await api.user('tenant-admin'));
  for (const zone of [ahead, behind]) {
    const id = await api.location(token, zone);
    expect((await api.put(`panel/location/${id}`, { token, body: { time_zone: zone } })).status).toBe(200);
    places[zone] = id;
    const profile = { name: 'Paid', location_id: id, paid_sale: { is_active: true, option: 'try', value: 10 } };
    const made = await api.post('panel/location/user-profile', { token, body: profile });
    const guest = {
      name: 'Ada',
      provider_type: 'username',
      username: `ada-${zone.slice(-4)}`,
      password: 'gizli-parola-7',
    };
    const body = { ...guest, location_id: id, profile_id: made.body.data.id, total_paid_day: 1 };
    const visitor = await api.post('panel/client', { token, body });
    expect(visitor.status, visitor.text).toBe(201);
  }
});
beforeEach(() => setZone('Europe/Istanbul'));

const save = (time_zone: unknown, who = token, language: 'en' | 'tr' = 'en') =>
  api.post('panel/tenant', { token: who, language, body: { brand_name: 'Acme', brand_long_name: 'Acme', time_zone } });
async function setZone(zone: string): Promise<void> {
  const saved = await save(zone);
  expect([saved.status, saved.body.data.time_zone], saved.text).toEqual([200, zone]);
}
const get = async (path: string) => {
  const answer = await api.get(path, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format();

test('what spans all locations has the days of the tenant’s time zone', async () => {
  expect((await get('panel/tenant')).data.time_zone).toBe('Europe/Istanbul');
  for (const zone of [ahead, behind]) {
    await setZone(zone);
    expect((await get('panel/user/me')).data.time_zone).toBe(zone);
    // Each place sold for 10 on its own today, which is not today at the other one.
    expect((await get('panel/reports/total-sales-today')).data, zone).toMatchObject({ total: 10 });
    const months = (await get('panel/reports/total-sales-by-month')).data;
    expect(months.labels.at(-1)).toBe(dayIn(zone).slice(0, 7));
    const visits = (await get('panel/statistics/visits')).data;
    expect(visits.labels.at(-1)).toContain(dayIn(zone));
    const asked = await api.post('panel/reports/who-was-it', {
      token,
      body: { address: '192.0.2.7', at: '2026-03-10 12:00:00', reason: 'inquiry' },
    });
    expect(asked.body.data?.asked.time_zone, asked.text).toBe(zone);
  }
});

test('days of the audit log are those of its times on the screen', async () => {
  const location = await api.location(token, 'Gece');
  const countOn = async (day: string) =>
    (await get(`panel/audit?location_id=${location}&start_at=${day}&end_at=${day}`)).meta.total;
  for (const zone of [ahead, behind]) {
    await setZone(zone);
    const counts = [await countOn(dayIn(ahead)), await countOn(dayIn(behind))];
    expect(counts, zone).toEqual(zone === ahead ? [1, 0] : [0, 1]);
  }
});

test('what is of one location keeps the zone of the location', async () => {
  await setZone('America/New_York');
  const visits = (await get(`panel/statistics/visits?locationIds=${places[ahead]}`)).data;
  expect(visits.labels.at(-1)).toContain(dayIn(ahead));
  expect((await get(`panel/reports/total-sales-today?location_id=${places[behind]}`)).data.total).toBe(10);
  const changed = await api.post(`panel/user/team/change/${places[behind]}`, { token });
  expect(changed.body.data.time_zone).toBe(behind);
  await api.post('panel/user/team/change/all', { token });
});

test('a new location begins in it, and those that exist keep theirs', async () => {
  await setZone('Europe/Berlin');
  const made = await api.post('panel/location', { token, body: { name: 'Gasthof' } });
  expect(made.body.data.time_zone).toBe('Europe/Berlin');
  expect((await get(`panel/location/${places[ahead]}`)).data.time_zone).toBe(ahead);
});

test('it is one that exists, is kept when it is not sent, and its change is in the audit log', async () => {
  for (const wrong of ['Mars/Olympus', '', null, 3]) {
    const answer = await save(wrong, token, 'tr');
    expect([answer.status, Object.keys(answer.body.errors)], String(wrong)).toEqual([422, ['time_zone']]);
  }
  expect((await save('Asia/Kolkata')).body.data.time_zone, 'by its listed name').toBe('Asia/Calcutta');
  expect((await save(undefined)).body.data.time_zone).toBe('Asia/Calcutta');
  const [entry] = (await get('panel/audit?subject_type=tenant')).data;
  expect(JSON.stringify(entry)).toContain('Asia/Calcutta');
  for (const role of ['reseller', 'auditor', 'member'] as const) {
    const user = await api.user(role, role === 'member' ? { location: places[ahead]! } : {});
    expect((await save('UTC', user.token)).status, role).toBe(403);
  }
});

test('daily mails that are about no location come by its clock', async () => {
  // Its day does not end during the test.
  const zone = ahead;
  await setZone(zone);
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format());
  const user = await api.user('tenant-admin');
  const body = { choices: [{ kind: 'log_chain_broken', way: 'digest' }], digest_hour: hour };
  expect((await api.put('panel/user/notification', { token: user.token, body })).status).toBe(200);
  await api.inTenant(tx =>
    tx.run(sql`
      insert into notifications (id, user_id, kind, data, way, mail_due, created_at)
      values (gen_random_uuid(), ${user.id}, 'log_chain_broken', '{"device": "Lobi", "day": "2026-03-01", "location": "Otel"}', 'digest', true, date_trunc('hour', now()) - interval '1 minute')`),
  );
  await mailDigests(api.app);
  expect(await takeMails(api.app)).toHaveLength(1);
  const { today } = await api.inTenant(tx =>
    tx.one<{ today: boolean }>(
      sql`select digested_on = (now() at time zone ${zone})::date as today from notice_settings where user_id = ${user.id}`,
    ),
  );
  expect(today).toBe(true);
});
