import { always } from '@portico/contract/block-kinds.ts';
import { localClock, periodState } from '@portico/contract/period-days.ts';
import type { Timing } from '@portico/contract/timing.ts';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { freshDatabase } from '#test/database.ts';
import { isDue } from './is-due.ts';

const at = (time: string, timing: object, zone = 'Europe/Istanbul') =>
  isDue({ ...always, ...timing }, zone, Date.parse(time));

test('days and weekdays are those of the location', () => {
  // 23 November 2026 is a Monday, and there it begins three hours earlier.
  expect(at('2026-11-22T20:59:00Z', { weekdays: [1] })).toBe(false);
  expect(at('2026-11-22T21:00:00Z', { weekdays: [1] })).toBe(true);
  expect(at('2026-11-22T21:00:00Z', { weekdays: [1] }, 'America/New_York')).toBe(false);
  expect(at('2026-11-22T21:00:00Z', { starts_on: '2026-11-23', ends_on: '2026-11-23' })).toBe(true);
  expect(at('2026-11-23T21:00:00Z', { starts_on: '2026-11-23', ends_on: '2026-11-23' })).toBe(false);
  expect(at('2026-11-23T12:00:00Z', {})).toBe(true);
});

test('hours end with the minute before the last', () => {
  const breakfast = { from_time: '07:00', to_time: '10:00' };
  expect(['03:59', '04:00', '06:59', '07:00'].map(it => at(`2026-11-23T${it}:30Z`, breakfast))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('hours past midnight belong to the day on which they begin', () => {
  const night = { from_time: '22:00', to_time: '02:00', weekdays: [5], starts_on: '2026-11-27', ends_on: '2026-11-27' };
  // Friday, 27 November 2026.
  expect(at('2026-11-27T19:00:00Z', night)).toBe(true);
  expect(at('2026-11-27T22:59:00Z', night), 'Saturday, 01:59').toBe(true);
  expect(at('2026-11-27T23:00:00Z', night), 'Saturday, 02:00').toBe(false);
  expect(at('2026-11-26T22:00:00Z', night), 'Friday, 01:00').toBe(false);
  expect(at('2026-11-28T19:00:00Z', night), 'Saturday, 22:00').toBe(false);
});

/** The database's own answer at any moment: `now()` and the portals are those of another schema. */
let inDatabase: (time: string, timing: object, zone: string) => Promise<boolean>;
const tenant = '00000000-0000-4000-8000-000000000001';
beforeAll(async () => {
  const client = new pg.Client({ connectionString: (await freshDatabase()).url });
  await client.connect();
  afterFile(() => client.end());
  await client.query(`
    create schema fake;
    create table fake.portals as select '${tenant}'::uuid as tenant_id, '${tenant}'::uuid as id;
    create function fake.now() returns timestamptz language sql stable as $$select current_setting('fake.now')::timestamptz$$;
    set search_path = fake, pg_catalog, public`);
  inDatabase = async (time, timing, zone) => {
    await client.query(`select set_config('fake.now', $1, false)`, [time]);
    const periods = JSON.stringify([{ portal_id: tenant, ...always, ...timing }]);
    const { rows } = await client.query('select public.portal_of_period($1, $2, $3) as id', [tenant, periods, zone]);
    return rows[0].id !== null;
  };
});

/** The quarters of an hour in the nights in which Berlin's clocks change. */
const quarters = (from: string) =>
  Array.from({ length: 32 }, (_, i) => new Date(Date.parse(from) + i * 900_000).toISOString());
const [spring, autumn] = [quarters('2026-03-28T20:00:00Z'), quarters('2026-10-24T20:00:00Z')];

test('pages, database and panel agree when the clocks change', async () => {
  const zone = 'Europe/Berlin';
  const timings: readonly Partial<Timing>[] = [
    { from_time: '02:00', to_time: '03:00' },
    { from_time: '22:00', to_time: '02:30' },
    { from_time: '23:00', to_time: '04:00', weekdays: [6] },
    { from_time: '01:30', to_time: '02:30', weekdays: [7] },
    { weekdays: [7] },
    { starts_on: '2026-03-29', ends_on: '2026-03-29' },
    { starts_on: '2026-10-25', ends_on: '2026-10-25', from_time: '03:00', to_time: '02:00' },
  ];
  for (const timing of timings)
    for (const time of [...spring, ...autumn]) {
      const name = `${JSON.stringify(timing)} at ${localClock(zone, Date.parse(time))}`;
      const shown = at(time, timing, zone);
      expect(await inDatabase(time, timing, zone), name).toBe(shown);
      expect(periodState({ ...always, ...timing }, localClock(zone, Date.parse(time))).now, name).toBe(shown);
    }
  // The hour from two to three does not exist in spring, and comes twice in autumn.
  const hour = { from_time: '02:00', to_time: '03:00' };
  expect(spring.filter(time => at(time, hour, zone))).toEqual([]);
  expect(autumn.filter(time => at(time, hour, zone))).toEqual(
    autumn.filter(time => time >= '2026-10-25T00:00' && time < '2026-10-25T02:00'),
  );
});
