import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPool, type Pool } from '#db/pool.ts';
import { freshDatabase } from '#test/database.ts';
import { portico, spawnPortico } from '#test/portico.ts';

/** Restores that are killed, or lose their lock, and what was done with their DATA_DIR since. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const folder = mkdtempSync(path.join(tmpdir(), 'portico-interrupted-'));
const pools: Pool[] = [];
let backup: string;

async function makeDatabase(options = {}): Promise<{ url: string; pool: Pool }> {
  const url = (await freshDatabase(options)).url.replace('@/', '@localhost/');
  const pool = createPool(url, { max: 3, onError: () => undefined });
  pools.push(pool);
  return { url, pool };
}

beforeAll(async () => {
  const { url } = await makeDatabase();
  const from = { DATABASE_URL: url, DATA_DIR: path.join(folder, 'source') };
  mkdirSync(path.join(from.DATA_DIR, 'logs/t/d'), { recursive: true });
  writeFileSync(path.join(from.DATA_DIR, 'logs/t/d/chain.jsonl'), 'a line\n');
  expect(await portico(['tenant', 'list'], from)).toMatchObject({ code: 0 });
  const ran = await portico(['backup', '--to', path.join(folder, 'backups'), '--with-key'], from);
  backup = /^Backup {4}(.+)$/m.exec(ran.out)![1]!;
});
afterAll(async () => {
  await Promise.all(pools.map(pool => pool.end()));
  rmSync(folder, { recursive: true, force: true });
});

const restored = (to: { DATA_DIR: string }) => path.join(to.DATA_DIR, 'logs/t/d/chain.jsonl');
const refusal = (message: RegExp) => ({ code: 1, out: '', error: expect.stringMatching(message) });

/** Holds up every restore into the database when it has written its files, before its tables. */
async function holdUp(pool: Pool): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query(`select pg_advisory_lock(hashtext('portico.migrations'))`);
  return async () => {
    await client.query('select pg_advisory_unlock_all()');
    client.release();
  };
}
const waits = `select from pg_stat_activity where datname = current_database() and query = 'select pg_try_advisory_lock(hashtext($1)) as got'`;

/** A target whose restore was killed when its files were there. */
async function killed(name: string) {
  const target = await makeDatabase({ empty: true });
  const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, name) };
  const goOn = await holdUp(target.pool);
  const child = spawnPortico(['restore', '--from', backup], to);
  await expect.poll(async () => (await target.pool.query(waits)).rowCount).toBe(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await goOn();
  expect(existsSync(restored(to))).toBe(true);
  return { ...target, to };
}

test('removes nothing that the killed restore did not write', async () => {
  const { to } = await killed('mixed');
  mkdirSync(path.join(to.DATA_DIR, 'uploads'));
  const mine = path.join(to.DATA_DIR, 'uploads/mine.webp');
  writeFileSync(mine, 'a picture');
  expect(await portico(['restore', '--from', backup], to)).toEqual(
    refusal(/uploads\/mine\.webp is not of the interrupted restore: move it away, or [^\n]+\n$/),
  );
  expect([existsSync(mine), existsSync(restored(to))]).toEqual([true, true]);
  rmSync(mine);
  expect(await portico(['restore', '--from', backup], to)).toMatchObject({ code: 0, error: '' });
  expect(readdirSync(to.DATA_DIR)).not.toContain('restore.unfinished');
  expect(await portico(['tenant', 'list'], to)).toMatchObject({ code: 0 });
});

test('removes nothing from a DATA_DIR that was used with another database since', async () => {
  const { to } = await killed('reused');
  // The same files: only the other database has them now.
  const other = { ...to, DATABASE_URL: (await makeDatabase({ empty: true })).url };
  expect(await portico(['restore', '--from', backup], other)).toEqual(
    refusal(/logs has files of an interrupted restore into another database: [^\n]+\n$/),
  );
  expect(await portico(['tenant', 'list'], other)).toMatchObject({ code: 0 });
  writeFileSync(restored(to), 'a line\nand another\n');
  expect(await portico(['restore', '--from', backup], to)).toEqual(
    refusal(/logs is not empty: restore into another DATA_DIR\n$/),
  );
  expect(readFileSync(restored(to), 'utf8')).toBe('a line\nand another\n');
  const elsewhere = { ...to, DATA_DIR: path.join(folder, 'elsewhere') };
  expect(await portico(['restore', '--from', backup], elsewhere)).toMatchObject({ code: 0, error: '' });
  expect(existsSync(restored(to))).toBe(true);
});

test('a failed restore that is killed while it cleans up has removed its files first', async () => {
  const { url, pool } = await makeDatabase({ empty: true });
  const to = { DATABASE_URL: url, DATA_DIR: path.join(folder, 'cleaning') };
  mkdirSync(path.join(to.DATA_DIR, 'logs'), { recursive: true });
  const broken = path.join(folder, 'broken');
  cpSync(backup, broken, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(broken, 'manifest.json'), 'utf8'));
  manifest.database.tables[0].rows += 1;
  writeFileSync(path.join(broken, 'manifest.json'), JSON.stringify(manifest));
  // The removal of the tables waits.
  await pool.query(`create schema watch;
    create function watch.wait() returns event_trigger language plpgsql as $$ begin
      if current_query() not like '%restore_unfinished%' then perform pg_advisory_xact_lock(42); end if; end $$;
    create event trigger wait on ddl_command_start when tag in ('DROP TABLE') execute function watch.wait()`);
  const client = await pool.connect();
  await client.query('select pg_advisory_lock(42)');
  const child = spawnPortico(['restore', '--from', broken], to);
  const cleans = `select from pg_locks where locktype = 'advisory' and not granted
    and objid = 42 and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await pool.query(cleans)).rowCount).toBe(1);
  expect(existsSync(restored(to))).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await client.query('select pg_advisory_unlock_all()');
  client.release();
  expect(await portico(['tenant', 'list'], to)).toEqual(refusal(/^A restore into this database [^\n]+\n$/));
  expect(await portico(['restore', '--from', backup], to)).toMatchObject({ code: 0, error: '' });
  expect(existsSync(restored(to))).toBe(true);
});

test('a restore that lost its lock ends, and leaves alone the one that began since', async () => {
  const { url, pool } = await makeDatabase({ empty: true });
  const to = (name: string) => ({ DATABASE_URL: url, DATA_DIR: path.join(folder, name) });
  const goOn = await holdUp(pool);
  const first = portico(['restore', '--from', backup], to('first'));
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'portico restore lock'`,
  );
  const second = portico(['restore', '--from', backup], to('second'));
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(2);
  await goOn();
  expect(await first).toEqual(refusal(/^[^\n]+\n$/));
  expect(await second).toMatchObject({ code: 0, error: '' });
  expect(existsSync(restored(to('second')))).toBe(true);
  expect((await pool.query('select from migrations')).rowCount).toBeGreaterThan(0);
  expect(await portico(['tenant', 'list'], to('second'))).toMatchObject({ code: 0 });
});
