import pg from 'pg';
import { expect, test } from 'vitest';
import { migrations } from '../db/migrate.ts';
import { freshDatabase } from './database.ts';

async function tables(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public' order by 1");
  await client.end();
  return rows.map(row => row.tablename);
}

test('each call creates another migrated database', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  expect(one.url).not.toBe(other.url);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  expect((await client.query('select count(*)::int as n from migrations')).rows).toEqual([{ n: migrations.length }]);
  await client.query('create table only_here (x int)');
  await client.end();
  expect(await tables(one.url)).toContain('only_here');
  expect(await tables(other.url)).not.toContain('only_here');
});

test('an empty database has no tables', async () => {
  expect(await tables((await freshDatabase({ empty: true })).url)).toEqual([]);
});
