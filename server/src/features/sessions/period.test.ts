import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Tx } from '#db/tenant.ts';
import { startApp } from '#test/harness.ts';
import { isReversed, periodOf } from './period.queries.ts';

const app = await startApp();

/** Zones whose clocks change at midnight, by half an hour, in the southern half, or by a whole day, and days around a change. */
const zones: readonly (readonly [zone: string, around: readonly string[]])[] = [
  ['Europe/Istanbul', ['2016-03-27', '2026-11-28']],
  ['Africa/Cairo', ['2026-04-24', '2026-10-30']],
  ['America/Santiago', ['2026-04-05', '2026-09-06']],
  ['Asia/Beirut', ['2026-03-29', '2026-10-25']],
  ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ['Pacific/Apia', ['2011-12-29', '2011-12-30', '2011-12-31']],
  ['America/New_York', ['2026-02-28', '2028-02-29']],
];
/** The bounds in milliseconds since 1970. */
async function boundsOf(tx: Tx, zone: string, it: { from?: string; to?: string }): Promise<number[]> {
  const { since, until } = await periodOf(tx, zone, { ...it, days: 6 });
  return [Date.parse(since), Date.parse(until)];
}
const near = (day: string, by: number) => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

test('the bounds of whole days are those of PostgreSQL', async () => {
  await app.db.withSystem(async tx => {
    for (const [zone, around] of zones)
      for (const day of around)
        for (let by = -2; by <= 2; by++) {
          const [from, to] = [near(day, by), near(day, by + 3)];
          // With a time of day, PostgreSQL computes them.
          const asked = { from: `${from} 00:00:00`, to: `${to} 23:59:59` };
          expect(await boundsOf(tx, zone, { from, to }), `${zone} ${from}`).toEqual(await boundsOf(tx, zone, asked));
          const ended = await boundsOf(tx, zone, { to });
          expect(ended, `${zone} until ${to}`).toEqual(await boundsOf(tx, zone, { to: asked.to }));
        }
  });
});

test('without dates it ends today, by the clock of the zone', async () => {
  await app.db.withSystem(async tx => {
    for (const [zone] of zones) {
      const { today } = await tx.one<{ today: string }>(sql`select (now() at time zone ${zone})::date::text as today`);
      const asked = { from: `${near(today, -6)} 00:00:00`, to: `${today} 23:59:59` };
      expect(await boundsOf(tx, zone, {}), zone).toEqual(await boundsOf(tx, zone, asked));
      const since = near(today, -40);
      expect(await boundsOf(tx, zone, { from: since }), zone).toEqual(
        await boundsOf(tx, zone, { ...asked, from: `${since} 00:00:00` }),
      );
    }
  });
});

test.each([
  ['2026-11-20', '2026-11-20', false],
  ['2026-11-20', '2026-11-19', true],
  ['2026-11-20T10:00:00Z', '2026-11-20T12:00:00+03:00', true],
  // The day ends at 12:00 UTC of the next one in the last zone.
  ['2026-11-21T11:59:59Z', '2026-11-20', false],
  ['2026-11-21T12:00:00Z', '2026-11-20', true],
  // The day begins at 10:00 UTC of the day before in the first zone.
  ['2026-11-20', '2026-11-19T10:00:00Z', false],
  ['2026-11-20', '2026-11-19T09:59:59Z', true],
])('from %s to %s: reversed is %s', (from, to, reversed) => expect(isReversed(from, to)).toBe(reversed));
