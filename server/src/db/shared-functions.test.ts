import pg from 'pg';
import { expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { freshDatabase } from '#test/database.ts';

/** The functions of `schema/shared.sql` that many tables use. */

const database = new pg.Client({ connectionString: (await freshDatabase()).url });
await database.connect();
afterFile(() => database.end());
const ask = async (query: string, values: readonly unknown[] = []): Promise<Record<string, unknown>> =>
  (await database.query(query, [...values])).rows[0];

test.each(['A0-00-00-00-00-0a', 'a0:00:00:00:00:0A'])('%s is a MAC address', async text => {
  expect(await ask('select parse_mac($1)::text as mac', [text])).toEqual({ mac: 'a0:00:00:00:00:0a' });
});

test.each([
  '',
  'a0:00:00:00:00',
  'a0:00:00:00:00:0a:00',
  'a0:00:00:00:00:0g',
  ' a0:00:00:00:00:0a',
  'a00000:00000a',
  'guest',
])('"%s" is no MAC address', async text => {
  expect(await ask('select parse_mac($1) as mac', [text])).toEqual({ mac: null });
});

test.each(['10.5.50.1', '255.255.255.255', '0.0.0.0'])('%s is an IPv4 address', async text => {
  expect(await ask('select host(parse_ip($1)) as ip', [text])).toEqual({ ip: text });
});

test.each(['', '10.5.50', '10.5.50.256', '10.5.50.1.', '10.5.50.1.1', '10.5.50.1/24', '300.1.1.1', '::1', 'guest'])(
  '"%s" is no IPv4 address',
  async text => {
    expect(await ask('select parse_ip($1) as ip', [text])).toEqual({ ip: null });
  },
);

test('ids that the database makes are in the order of their time', async () => {
  // Counting takes some microseconds between two ids, and pg_sleep() would take at least a millisecond.
  const { ids } = await ask(
    `select array_agg(id order by n) as ids from (
      select n, new_id() as id, (select count(*) from generate_series(1, 100 + n)) from generate_series(1, 20) n offset 0) x`,
  );
  expect(ids).toEqual([...(ids as string[])].sort());
  expect(new Set(ids as string[]).size).toBe(20);
});

// Their dates are never the same.
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the day of a location is that of its clocks: %s',
  async zone => {
    const { day, now } = await ask(
      'select local_day($1)::text as day, (extract(epoch from now()) * 1000)::float8 as now',
      [zone],
    );
    const local = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
    expect(day).toBe(local.format(now as number));
  },
);
