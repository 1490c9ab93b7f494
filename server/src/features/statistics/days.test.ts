import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';
import { seededRandom } from './testing/random.ts';

/** Time zones with days of unusual clock changes (at midnight, by half an hour, in the southern half), and ends of months. */
const zones: readonly (readonly [zone: string, around: readonly string[]])[] = [
  ['Europe/Berlin', ['2025-03-30', '2025-10-26', '2025-02-28']],
  ['America/New_York', ['2025-03-09', '2025-11-02', '2024-02-29']],
  ['Australia/Lord_Howe', ['2025-04-06', '2025-10-05', '2025-06-30']],
  ['America/Santiago', ['2025-04-06', '2025-09-07', '2025-01-01']],
  ['Africa/Cairo', ['2025-04-25', '2025-10-31', '2025-12-31']],
  ['Pacific/Kiritimati', ['2025-01-31']],
];
const hour = 3600;
const day = 24 * hour;

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

/** User names of the sessions. */
const guests = ['bir', 'iki', 'üç'];

interface Report {
  session: string;
  user_name: string;
  mac: string;
  status: string;
  /** Seconds since 1970. */
  at: number;
  seconds: number;
  upload: number;
  download: number;
}

/** Accounting of sessions that begin within three days of a date and last up to two days, in chronological order. */
function makeReports(random: (below: number) => number, around: string): Report[] {
  const middle = Date.parse(`${around}T12:00:00Z`) / 1000;
  const all = Array.from({ length: 12 }, (_, n) => {
    const began = middle - 3 * day + random(6 * day);
    const session = `${around}-${n}`;
    const mac = `02:00:${[around.slice(5, 7), around.slice(8, 10), around.slice(2, 4)].join(':')}:${String(n + 10)}`;
    let it: Report = {
      session,
      user_name: guests[random(guests.length)]!,
      mac,
      status: 'start',
      at: began,
      seconds: 0,
      upload: 0,
      download: 0,
    };
    const reports = [it];
    for (let left = random(8); left >= 0; left--) {
      const later = 60 + random(random(4) === 0 ? 20 * hour : 2 * hour);
      const status = left === 0 && random(3) > 0 ? 'stop' : 'interim';
      const [upload, download] = [it.upload + random(1 << 20), it.download + random(1 << 24)];
      it = { ...it, status, at: it.at + later, seconds: it.seconds + later, upload, download };
      reports.push(it);
      // Routers repeat a record whose acknowledgement came too late.
      if (random(5) === 0) reports.push(it);
    }
    return reports;
  });
  return all.flat().sort((a, b) => a.at - b.at);
}

interface Day {
  sessions: number;
  seconds: number;
  upload: number;
  download: number;
}

/** Formats a time as its day in a zone. */
function dayIn(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return at => format.format(new Date(at * 1000));
}

/** The expected roll-ups, calculated simply: sessions by the day of their start, usage by the day of the report. */
function sumByDay(reports: readonly Report[], zone: string): Map<string, Day> {
  const format = dayIn(zone);
  const days = new Map<string, Day>();
  const on = (at: number): Day => {
    const name = format(at);
    const known = days.get(name) ?? { sessions: 0, seconds: 0, upload: 0, download: 0 };
    days.set(name, known);
    return known;
  };
  const before = new Map<string, Report>();
  for (const it of reports) {
    const last = before.get(it.session);
    if (!last) on(it.at).sessions += 1;
    for (const key of ['seconds', 'upload', 'download'] as const) on(it.at)[key] += it[key] - (last?.[key] ?? 0);
    before.set(it.session, it);
  }
  return days;
}

/** The number of guests who began sessions on at least two days of a period. */
function returned(reports: readonly Report[], zone: string, { first, last }: { first: string; last: string }): number {
  const format = dayIn(zone);
  const sessions = Map.groupBy(reports, it => it.session);
  const days = new Map(guests.map(guest => [guest, new Set<string>()]));
  for (const all of sessions.values()) {
    const name = format(all[0]!.at);
    if (name >= first && name <= last) days.get(all[0]!.user_name)!.add(name);
  }
  return [...days.values()].filter(names => names.size > 1).length;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const addDays = (name: string, days: number): string =>
  new Date(Date.parse(`${name}T00:00:00Z`) + days * day * 1000).toISOString().slice(0, 10);

const send = ({ device, tenant }: { device: string; tenant: string }, part: readonly Report[]) =>
  api.app.db.withSystem(tx => {
    const records = part.map(({ at, ...it }) => ({
      ...it,
      tenant,
      device,
      ip: '10.5.50.9',
      at: new Date(at * 1000),
    }));
    return tx.run(sql`select account(${JSON.stringify(records)}::jsonb)`);
  });
describe.each(zones)('in %s', (zone, around) => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  let device: string;
  let reports: Report[];
  let facts: Map<string, Day>;

  beforeAll(async () => {
    const made = await makeDevice(api, { nas: `gun${zone.toLowerCase().replace(/[^a-z]/g, '')}`.slice(0, 16), zone });
    device = made.id;
    for (const username of guests)
      await api.post('panel/client', {
        token: admin,
        body: { location_id: made.location, name: username, provider_type: 'username', username, password: 'secret1' },
      });
    await api.post(`panel/user/team/change/${made.location}`, { token: admin });
    const random = seededRandom(seed);
    reports = around.flatMap(name => makeReports(random, name)).sort((a, b) => a.at - b.at);
    facts = sumByDay(reports, zone);
    for (let i = 0; i < reports.length; i += 40)
      await send({ device, tenant: made.tenantId }, reports.slice(i, i + 40));
  });

  const visits = async (from: string, to: string): Promise<Body> =>
    (await api.get(`panel/statistics/visits?start_at=${from}&end_at=${to}`, { token: admin })).body;

  test(`the daily roll-ups equal the sums of the accounting (SEED=${seed})`, async () => {
    const rows = await api.inTenant(tx =>
      tx.many<Day & { day: string }>(sql`
        select day::text, sum(sessions)::bigint as sessions, sum(seconds)::bigint as seconds, sum(upload)::bigint as upload, sum(download)::bigint as download
        from (select day, sessions, seconds, upload, download from session_days where device_id = ${device}
          union all select day, 0, seconds - counted_seconds, upload - counted_upload, download - counted_download from online_sessions where device_id = ${device}) d
        group by day having sum(sessions) + sum(seconds) > 0 order by day`),
    );
    const expected = [...facts].filter(([, it]) => it.sessions + it.seconds > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(rows.map(({ day: name, ...it }) => [name, it])).toEqual(expected);
  });

  test.each(around)('a week around %s has each day once, with its visits and bytes', async name => {
    const { data, meta } = await visits(addDays(name, -3), addDays(name, 3));
    const names = Array.from({ length: 7 }, (_, i) => addDays(name, i - 3));
    expect(data.labels).toEqual(names);
    expect(data.values).toEqual(names.map(it => facts.get(it)?.sessions ?? 0));
    expect(data.download).toEqual(names.map(it => facts.get(it)?.download ?? 0));
    expect(meta.total).toBe(sum(data.values));
  });

  test.each(around)('the hours of %s add up to that day', async name => {
    const { data } = await visits(name, name);
    expect(data.bucket).toBe('hour');
    expect(new Set(data.labels).size).toBe(data.labels.length);
    expect(sum(data.values)).toBe(facts.get(name)?.sessions ?? 0);
    expect(sum(data.upload)).toBe(facts.get(name)?.upload ?? 0);
    expect(sum(data.download)).toBe(facts.get(name)?.download ?? 0);
  });

  test.each(around)('guests with sessions on two days around %s count as returning', async name => {
    for (const [from, to] of [
      [-3, 3],
      [-1, 0],
      [0, 0],
      [0, 1],
      [1, 2],
    ] as const) {
      const [first, last] = [addDays(name, from), addDays(name, to)];
      const at = `panel/statistics/overview?start_at=${first}&end_at=${last}`;
      const { returned_users } = (await api.get(at, { token: admin })).body.data;
      expect(returned_users, `${first} to ${last}`).toBe(returned(reports, zone, { first, last }));
      const ofDevice = (await api.get(`${at}&deviceIds=${device}`, { token: admin })).body.data.returned_users;
      expect(ofDevice, `${first} to ${last}, of the device`).toBe(returned_users);
    }
  });

  test('months add up to their days', async () => {
    const { data } = await visits('2024-02-01', '2025-12-31');
    const ofMonth = (month: string, key: keyof Day) =>
      sum([...facts].filter(([name]) => name.startsWith(month)).map(([, it]) => it[key]));
    expect(data.labels).toHaveLength(23);
    expect(data.values).toEqual(data.labels.map((month: string) => ofMonth(month, 'sessions')));
    expect(data.upload).toEqual(data.labels.map((month: string) => ofMonth(month, 'upload')));
  });
});

test.each([
  ['Pacific/Kiritimati', 'America/Los_Angeles'],
  ['America/Los_Angeles', 'Pacific/Kiritimati'],
])('a location that moves from %s to %s while guests are online counts everything once', async (from, to) => {
  const made = await makeDevice(api, { nas: `tasinma${from.slice(0, 1).toLowerCase()}`, zone: from });
  await api.post(`panel/user/team/change/${made.location}`, { token: admin });
  const all = makeReports(seededRandom(7), '2025-06-15');
  const half = all.length >> 1;
  await send({ device: made.id, tenant: made.tenantId }, all.slice(0, half));
  const put = await api.put(`panel/location/${made.location}`, { token: admin, body: { time_zone: to } });
  expect(put.status, put.text).toBe(200);
  for (const it of all.slice(half)) await send({ device: made.id, tenant: made.tenantId }, [it]);
  const expected = [...sumByDay(all, to).values()];
  const { body } = await api.get('panel/statistics/visits?start_at=2025-06-01&end_at=2025-06-30', { token: admin });
  expect(body.meta.total).toBe(sum(expected.map(it => it.sessions)));
  expect(sum(body.data.upload)).toBe(sum(expected.map(it => it.upload)));
  expect(sum(body.data.download)).toBe(sum(expected.map(it => it.download)));
});

test('for locations in different zones, the hours of a day add up to the day', async () => {
  const { token } = await api.user('tenant-admin');
  const far = ['Pacific/Kiritimati', 'America/Los_Angeles'];
  const places: string[] = [];
  for (const [n, zone] of far.entries()) {
    const made = await makeDevice(api, { nas: `heryerde${n}`, zone });
    places.push(made.location);
    const all = makeReports(seededRandom(n + 3), '2025-06-15').map(it => ({
      ...it,
      mac: it.mac.replace('02:00', `02:0${n + 1}`),
    }));
    await send({ device: made.id, tenant: made.tenantId }, all);
  }
  const everywhere = async (from: string, to: string) =>
    (
      await api.get(`panel/statistics/visits?start_at=${from}&end_at=${to}&locationIds=${places.join(',')}`, {
        token,
      })
    ).body.data;
  const week = await everywhere('2025-06-12', '2025-06-18');
  for (const [i, name] of week.labels.entries()) {
    const hours = await everywhere(name, name);
    expect(hours.bucket).toBe('hour');
    expect([sum(hours.values), sum(hours.upload), sum(hours.download)], name).toEqual([
      week.values[i],
      week.upload[i],
      week.download[i],
    ]);
  }
  expect(sum(week.values)).toBeGreaterThan(0);
});

test('accounting is not stored when its roll-up fails', async () => {
  const { id, tenantId } = await makeDevice(api, { nas: 'gunbirlikte' });
  const record = {
    tenant: tenantId,
    device: id,
    status: 'start',
    session: '1',
    user_name: 'x',
    mac: '02:00:00:00:00:99',
    at: new Date(),
    seconds: 0,
    upload: 0,
    download: 0,
  };
  const start = () => api.app.db.withSystem(tx => tx.run(sql`select account(${JSON.stringify([record])}::jsonb)`));
  const open = () => api.inTenant(tx => tx.many(sql`select 1 from online_sessions where device_id = ${id}`));
  await api.app.db.pool.query('alter table session_days rename to session_days_away');
  await expect(start()).rejects.toThrow(/session_days/);
  await api.app.db.pool.query('alter table session_days_away rename to session_days');
  expect(await open()).toHaveLength(0);
  await start();
  expect(await open()).toHaveLength(1);
});
