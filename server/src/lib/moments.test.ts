import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { localTime } from '#db/local-time.ts';
import { startApp } from '#test/harness.ts';
import { localText, zonedMoment } from './moments.ts';

const { db } = await startApp();

test('a local time is the moment that PostgreSQL takes it for, also where clocks are put on or back', async () => {
  const { rows } = await db.pool.query<{ zone: string; local: string; moment: string }>(`
    select zone, to_char(local, 'YYYY-MM-DD HH24:MI:SS') as local, local at time zone zone as moment
    from unnest(array['Europe/Istanbul', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu',
      'America/Sao_Paulo', 'UTC', 'Pacific/Auckland']) zone
    cross join (
      select timestamp '2024-01-01' + i * interval '29 minutes 59 seconds' as local from generate_series(0, 18000, 41) i
      union select timestamp '2026-03-28 20:00' + i * interval '11 minutes' from generate_series(0, 100) i
      union select timestamp '2025-10-25 20:00' + i * interval '11 minutes' from generate_series(0, 100) i
      union select timestamp '2016-03-26 20:00' + i * interval '11 minutes' from generate_series(0, 100) i
      union select timestamp '2026-11-01 00:00' + i * interval '5 minutes' from generate_series(0, 50) i
      union select timestamp '2026-03-08 00:00' + i * interval '5 minutes' from generate_series(0, 50) i) times(local)`);
  const wrong = rows.filter(({ zone, local, moment }) => zonedMoment(local, zone)?.getTime() !== Date.parse(moment));
  expect(rows.length).toBeGreaterThan(4000);
  expect(wrong).toEqual([]);
});

test('what is no time, or of a far year, is left to PostgreSQL', () => {
  for (const local of [
    '1900-01-01 00:00:00',
    '2100-01-01 00:00:00',
    '2026-01-01',
    '2026-13-01 00:00:00',
    '2026-01-01 00:00:00.5',
  ])
    expect([local, zonedMoment(local, 'Europe/Istanbul')]).toEqual([local, undefined]);
});

test('files show a moment with its offset, which tells the two times of a changed clock apart', async () => {
  const rows = await db.withSystem(tx =>
    tx.many<{ zone: string; moment: string; shown: string }>(sql`
      select zone, moment, ${localTime(sql`moment`, sql`zone`)} as shown
      from unnest(array['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) zone
      cross join (select timestamptz '2026-10-24 23:00Z' + i * interval '29 minutes' as moment from generate_series(0, 400) i) times`),
  );
  expect(rows).toHaveLength(5 * 401);
  expect(rows.filter(it => localText(Date.parse(it.moment), it.zone) !== it.shown)).toEqual([]);
  expect(
    ['2026-10-25T00:10:00Z', '2026-10-25T01:10:00Z'].map(at => localText(Date.parse(at), 'Europe/Berlin')),
  ).toEqual(['2026-10-25 02:10:00+02', '2026-10-25 02:10:00+01']);
});
