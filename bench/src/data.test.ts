import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../server/src/test/database.ts';
import { makeData, sizeOf } from './data.ts';
import { listsFor, type Samples, samplesQuery } from './list-queries.ts';
import { makeRollUps } from './log-rollups.ts';

test('the data and the queries of the references fit the schema', async () => {
  const client = new pg.Client({ connectionString: (await freshDatabase()).url });
  await client.connect();
  const size = sizeOf(0.002);
  await makeData(client, size);
  const { rows } = await client.query(
    'select (select count(*)::int from session_history) as sessions, (select count(*)::int from visitors) as visitors',
  );
  expect(rows).toEqual([{ sessions: size.sessions, visitors: size.visitors }]);
  const samples = (await client.query<Samples>(samplesQuery)).rows[0]!;
  for (const list of listsFor(samples)) {
    const total = Number((await client.query(list.total)).rows[0].total);
    const shown = (await client.query(list.rows)).rows.length;
    expect([list.work, shown > 0 || list.work.startsWith('failed')]).toEqual([list.work, true]);
    expect([list.work, total >= shown]).toEqual([list.work, true]);
  }
  const lines = await makeRollUps(client, 100_000, 4);
  expect(Math.abs(lines - 100_000)).toBeLessThan(5000);
  const { rows: most } = await client.query(
    'select (select max(n) from (select count(*)::int as n from log_tops where day < current_date - 1 group by device_id, day) x) as n, (select count(*)::int from log_files) as files',
  );
  expect(most[0].n).toBeLessThanOrEqual(200);
  expect(most[0].files).toBe(4 * 31 * 3);
  await client.end();
});
