import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../server/src/test/database.ts';
import { makeData, sizeOf } from './data.ts';
import { listsFor, type Samples, samplesQuery } from './list-queries.ts';

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
  await client.end();
});
