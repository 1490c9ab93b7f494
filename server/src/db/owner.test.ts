import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { createPool, type Pool } from './pool.ts';
import { createDatabase, type Database } from './tenant.ts';

/** A database like that of a hosting company: its owner is no superuser, and forced row security applies to it too. */

const folder = mkdtempSync(path.join(tmpdir(), 'portico-owner-'));
chmodSync(folder, 0o755);
let server: Embedded;
beforeAll(async () => {
  server = await startEmbedded(path.join(folder, 'postgres'), { settings: { fsync: 'off' } });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function command(...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

// The second owner finds the two roles that the first one created, as in a cluster with several installations.
describe.each([
  ['may create roles', 'createrole', [], []],
  // This one comes from 0.5.0.
  ['was granted the roles', 'nocreaterole', ['grant portico_app, portico_system to given'], ['0100-kept-search-text']],
])('an owner who %s', (_, right, grants, versions) => {
  const name = right === 'createrole' ? 'maker' : 'given';
  let pool: Pool;
  let db: Database;
  beforeAll(async () => {
    await command(
      `create role ${name} login nosuperuser nobypassrls ${right}`,
      ...grants,
      `create database ${name} owner ${name}`,
    );
    const url = server.url.replace('postgres@', `${name}@`).replace('/postgres?', `/${name}?`);
    pool = createPool(url, { max: 4, onError: () => undefined });
    for (const version of versions) await migrate(pool, version);
    await migrate(pool);
    db = createDatabase(pool);
  });
  afterAll(() => pool.end());

  const tables = async (): Promise<string[]> =>
    (
      await pool.query(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'session_history'::regclass order by 1`,
      )
    ).rows.map(row => row.name);
  const system = (text: string) => db.withSystem(tx => tx.many<Record<string, unknown>>(sql`${raw(text)}`));
  /** A session so many months ago (or ahead), of which there is a table or not. */
  const session = (months: number) =>
    system(`insert into session_history (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, started_at,
        ended_at, seconds, upload, download, interim, reopened, day, close_reason)
      select gen_random_uuid(), gen_random_uuid(), '\\x01', gen_random_uuid(), gen_random_uuid(), '', 's', at, at, 0, 0, 0, 0, false, at::date, 'stop'
      from (select now() - make_interval(months => ${months}) as at) x`);
  const count = async () => Number((await system('select count(*)::int as n from session_history'))[0]!['n']);

  test('gets tables for months whose sessions came too early, and keeps the sessions', async () => {
    await system('delete from session_history');
    await session(-7);
    await system('select ensure_partitions(8)');
    expect((await tables()).length).toBeGreaterThan(9);
    expect(await count()).toBe(1);
    const [row] = await system('select tableoid::regclass::text as at from session_history');
    expect(row!['at']).toMatch(/^session_history_\d{4}_\d\d$/);
    const { rows } =
      await pool.query(`select relname from pg_class where relname like 'session_history%' and relkind = 'r'
      and not (relrowsecurity and relforcerowsecurity)`);
    expect(rows, 'each is behind its wall again').toEqual([]);
  });

  test('loses the tables of empty months only', async () => {
    await system('select ensure_partitions(3, 9)');
    await session(5);
    const before = await tables();
    const kept = await count();
    await system('select drop_empty_partitions()');
    expect((await tables()).length).toBeLessThan(before.length);
    expect(await count()).toBe(kept);
  });

  test('drops no tables whose rows it does not see', async () => {
    await session(5);
    const before = await count();
    // The owner has lost the right to see the rows.
    await pool.query('alter policy system on session_history using (false)');
    await pool.query('select drop_empty_partitions()');
    await pool.query('alter policy system on session_history using (true)');
    expect(await count()).toBe(before);
  });
});
