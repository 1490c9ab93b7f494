import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freezeTenant, thawTenant } from '#db/tenant-freeze.ts';
import { newId } from '#lib/ids.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { logStore } from './configured-store.ts';
import { addDroppedLines } from './dropped-lines.queries.ts';
import { addFlows } from './intake.queries.ts';
import { logJobs } from './logs.jobs.ts';
import { feed, line, makeDevice, openReader, until, writeRaw } from './testing/fixture.ts';

let api: TestApi;
let token: string;
let device: Awaited<ReturnType<typeof makeDevice>>;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  device = await makeDevice(api, { nas: 'counts01', zone: 'UTC' });
});
afterAll(() => api.app.db.pool.query('truncate log_tops, log_top_hours'));

const trim = (days = api.app.settings.LOG_RETENTION_DAYS) =>
  logJobs
    .find(one => one.name === 'trim log counts')!
    .run({ ...api.app, settings: { ...api.app.settings, LOG_RETENTION_DAYS: days } });
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
/** Inserts names for an hour. Each has one connection more than the next. */
async function fill(day: string, hour: number, names: number): Promise<void> {
  const values = [device.tenantId, device.id, day, hour, names];
  for (const [table, column, value] of [
    ['log_tops', '', ''],
    ['log_top_hours', 'hour,', '$4::int,'],
  ])
    await api.app.db.pool.query(
      `insert into ${table} (tenant_id, device_id, day, ${column} kind, name, recv, sent, connections)
      select $1, $2, $3::date, ${value} 'website', 'site' || n || '.org', 0, 0, $5::int - n from generate_series(0, $5::int - 1) n
      where $4::int >= 0 on conflict do nothing`,
      values,
    );
}
const left = async (table: 'log_tops' | 'log_top_hours', day: string, hour?: number) => {
  const { rows } = await api.app.db.pool.query(
    `select count(*)::int as n, coalesce(min(connections), 0)::int as least from ${table} where device_id = $1 and day = $2
    ${hour === undefined ? '' : `and hour = ${hour}`}`,
    [device.id, day],
  );
  return rows[0] as { n: number; least: number };
};

test('past days and hours keep only the most used names, and hours are kept for two months', async () => {
  const [today, over, old] = [dayOf(0), dayOf(3), dayOf(63)];
  await fill(today, 9, 3000);
  await fill(over, 9, 3000);
  await fill(over, 10, 40);
  await fill(old, 9, 10);
  await trim();
  expect(await left('log_tops', today)).toEqual({ n: 2000, least: 1001 });
  expect(await left('log_tops', over)).toEqual({ n: 200, least: 2801 });
  expect(await left('log_top_hours', today, 9), 'today keeps more names').toEqual({ n: 500, least: 2501 });
  expect(await left('log_top_hours', over, 9)).toEqual({ n: 50, least: 2951 });
  expect(await left('log_top_hours', over, 10), 'an hour with few names keeps them all').toEqual({ n: 40, least: 1 });
  expect(await left('log_top_hours', old)).toEqual({ n: 0, least: 0 });
  expect(await left('log_tops', old), 'the daily names stay').toEqual({ n: 10, least: 1 });
  await trim();
  expect(await left('log_top_hours', over, 9), 'a second run deletes nothing').toEqual({ n: 50, least: 2951 });
  const sites = async (gte: string, lte: string) => {
    const period = new URLSearchParams({ gte, lte });
    return (await api.get(`panel/device/${device.id}/logs/popular_website?${period}`, { token })).body.data;
  };
  const first = { domain: 'site0.org', recv: 0, sent: 0, total: 0, connections: 3000 };
  expect((await sites(`${over}T09:00:00`, `${over}T09:59:59`))[0]).toEqual(first);
  expect(await sites(`${over}T09:00:00`, `${over}T09:59:59`)).toHaveLength(20);
  expect(await sites(`${old}T09:00:00`, `${old}T09:59:59`), 'an old hour uses the names of its day').toHaveLength(10);
});

test('the same name again adds to its day and its hour', async () => {
  const top = (hour: number, name: string) => ({
    ...{ kind: 'website' as const, day: '2026-03-02', hour, name },
    ...{ recv: 1, sent: 20, connections: 300 },
  });
  const tops = new Map([top(9, 'a.org'), top(10, 'a.org'), top(9, 'b.org')].map((it, i) => [String(i), it]));
  const tally = { ...device, deviceId: device.id, locationId: device.location, tops };
  for (const _ of [1, 2]) await api.app.db.withSystem(tx => addFlows(tx, [tally], logStore(api.app.settings)));
  const rows = async (table: string, hour: string) =>
    (
      await api.app.db.pool.query<{ row: string }>(
        `select concat_ws(' ', name, ${hour} recv, sent, connections) as row from ${table} where device_id = $1 and day = $2
        order by 1`,
        [device.id, '2026-03-02'],
      )
    ).rows.map(it => it.row);
  expect(await rows('log_top_hours', 'hour,')).toEqual(['a.org 10 2 40 600', 'a.org 9 2 40 600', 'b.org 9 2 40 600']);
  expect(await rows('log_tops', '')).toEqual(['a.org 4 80 1200', 'b.org 2 40 600']);
});

test('older days are trimmed too, one with each run', async () => {
  await api.app.db.pool.query('truncate log_tops, log_top_hours');
  const days = Array.from({ length: 58 }, (_, i) => dayOf(5 + i));
  for (const day of days) await fill(day, 9, 210);
  await trim();
  const full = async (table: 'log_tops' | 'log_top_hours') =>
    (await Promise.all(days.map(day => left(table, day)))).filter(({ n }) => n === 210).length;
  expect(await full('log_top_hours')).toBe(days.length - 1);
  await trim(5);
  expect(await left('log_tops', days[0] as string), 'with one older day, every run trims it').toEqual({
    n: 200,
    least: 11,
  });
});

test('a tenant that moves does not stop the counts of others, and its own go on when the move is cancelled', async () => {
  const { app } = api;
  const url = app.db.pool.options.connectionString!;
  await api.user('tenant-admin', { tenant: 'other' });
  const [frozen, fresh] = [await makeDevice(api, { nas: 'frozen01' }), await makeDevice(api, { nas: 'frozen02' })];
  const other = await makeDevice(api, { nas: 'served01', tenant: 'other' });
  const at = (day: number) => [{ at: `2026-03-${day}T10:00:00Z`, line: line.dhcp() }];
  const linesOf = async (id: string, table = 'log_files') =>
    (
      await app.db.pool.query<{ n: number }>(
        `select coalesce(sum(lines), 0)::int as n from ${table} where device_id = $1`,
        [id],
      )
    ).rows[0]!.n;
  const devices = [frozen, fresh, other];
  for (const it of devices) await writeRaw(api, it, at(10));
  await feed(api, frozen, at(11));
  await app.db.withSystem(tx =>
    tx.run(sql`
      insert into tenant_moves (tenant, move_id, slug, hosts, direction, state)
      values (${frozen.tenantId}, ${newId()}, 'panel', '{}', 'out', 'frozen')`),
  );
  await freezeTenant(url, frozen.tenantId);
  // Received just before. The day is over, so that it is to be closed.
  for (const it of devices) await writeRaw(api, it, at(12));
  const { reader, stop } = await openReader(api, devices, { lookAgainMs: 200 });
  reader.start();
  await until(async () => (await linesOf(other.id)) === 2);
  const top = { kind: 'website' as const, day: '2026-03-12', hour: 1, name: 'x.org', recv: 1, sent: 1, connections: 1 };
  const flows = [frozen, other].map(it => ({
    ...it,
    deviceId: it.id,
    locationId: it.location,
    tops: new Map([['x', top]]),
  }));
  await app.db.withSystem(tx => addFlows(tx, flows, logStore(app.settings)));
  const rows = [frozen, other].map(it => ({
    ...{ tenantId: it.tenantId, deviceId: it.id, reason: 'flood' as const, lines: 3, lastAt: Date.now() },
  }));
  const none = { overflow: 0, unknownLines: 0, unknownFlows: 0 };
  await app.db.withSystem(tx => addDroppedLines(tx, rows, none));
  expect(await linesOf(other.id, 'log_dropped_lines')).toBe(3);
  expect([await linesOf(frozen.id), await linesOf(fresh.id), await linesOf(frozen.id, 'log_dropped_lines')]).toEqual([
    2, 0, 0,
  ]);
  await thawTenant(url, frozen.tenantId);
  await app.db.withSystem(tx => tx.run(sql`delete from tenant_moves`));
  await until(async () => (await linesOf(frozen.id)) === 3);
  await stop();
});
