import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';

const api = await startApi();
let token: string;

// The clocks of these places are up to 25 hours apart.
const zones = ['Pacific/Kiritimati', 'Europe/Istanbul', 'America/Los_Angeles', 'Pacific/Pago_Pago'];
const days = ['2026-03-09', '2026-03-10', '2026-03-11'];
/** Each place has a session and a failed sign-in at the first and at the last minute of the middle day. */
const times = ['2026-03-10 00:00:20', '2026-03-10 23:59:20'];

beforeAll(async () => {
  ({ token } = await api.user('tenant-admin'));
  for (const [n, zone] of zones.entries()) {
    const { id, location, tenantId } = await makeDevice(api, { nas: `yerelgun${n}`, zone });
    for (const [m, local] of times.entries()) {
      const mac = `02:00:00:00:${n}0:0${m}`;
      await api.inTenant(tx =>
        tx.run(sql`
          insert into failed_logins (location_id, device_id, client_mac, provider_slug, reason, created_at)
          values (${location}, ${id}, ${mac}::macaddr, 'username', 'wrong_credentials', ${local}::timestamp at time zone ${zone})`),
      );
      const { at } = await api.inTenant(tx =>
        tx.one<{ at: string }>(sql`select ${local}::timestamp at time zone ${zone} as at`),
      );
      const record = {
        tenant: tenantId,
        device: id,
        session: `${n}-${m}`,
        user_name: 'x',
        mac,
        seconds: 0,
        upload: 0,
        download: 0,
      };
      for (const status of ['start', 'stop'])
        await api.app.db.withSystem(tx =>
          tx.run(sql`select account(${JSON.stringify([{ ...record, status, at }])}::jsonb)`),
        );
    }
  }
});

const read = async (path: string) => {
  const { status, body, text } = await api.get(path, { token });
  expect(status, text).toBe(200);
  return body;
};

test('over locations of several time zones, a day is the day of each location: in charts, counts and lists', async () => {
  for (const day of days) {
    const expected = day === days[1] ? zones.length * times.length : 0;
    const visits = await read(`panel/statistics/visits?start_at=${day}&end_at=${day}`);
    expect(visits.meta.total, `visits of ${day}`).toBe(expected);
    const history = await read(`panel/reports/sessions?session_date=${day} 00:00:00,${day} 23:59:59`);
    expect(history.meta.total, `history of ${day}`).toBe(expected);
    const csv = await api.get(`panel/reports/sessions?session_date=${day}&download=true`, { token });
    expect(csv.text.trim().split('\r\n'), `export of ${day}`).toHaveLength(1 + expected);
    const overview = await read(`panel/statistics/overview?start_at=${day}&end_at=${day}`);
    expect(overview.data.failed_logins, `failed sign-ins of ${day}`).toBe(expected);
    const failed = await read(`panel/failed-login?start_at=${day}&end_at=${day}&per_page=100`);
    expect(failed.meta.total, `list of failed sign-ins of ${day}`).toBe(expected);
  }
});

test('a period of several days begins and ends by the clocks of each location', async () => {
  const all = zones.length * times.length;
  for (const [first, last, expected] of [
    ['2026-03-05', '2026-03-09', 0],
    ['2026-03-06', '2026-03-10', all],
    ['2026-03-07', '2026-03-13', all],
    ['2026-03-10', '2026-03-14', all],
    ['2026-03-11', '2026-03-15', 0],
  ] as const) {
    const period = `start_at=${first}&end_at=${last}`;
    const failed = await read(`panel/failed-login?${period}&per_page=5`);
    expect(failed.meta.total, `list of ${period}`).toBe(expected);
    expect(failed.data).toHaveLength(Math.min(expected, 5));
    const after = await read(`panel/failed-login?${period}&per_page=5&page=9`);
    expect(after, `a page after the last of ${period}`).toMatchObject({ data: [], meta: { total: expected } });
    const overview = await read(`panel/statistics/overview?${period}`);
    expect(overview.data.failed_logins, `failed sign-ins of ${period}`).toBe(expected);
    const history = await read(`panel/reports/sessions?session_date=${first} 00:00:00,${last} 23:59:59`);
    expect(history.meta.total, `history of ${period}`).toBe(expected);
  }
});

test('a list whose period ends before it starts is empty', async () => {
  const failed = await read('panel/failed-login?start_at=9999-12-31 23:59:59');
  expect(failed.data).toEqual([]);
});
