import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { createPool, type Pool } from '#db/pool.ts';
import { fillTables } from '#db/testing/old-rows.ts';
import { databaseUrl } from '#test/database.ts';
import { portico, spawnPortico } from '#test/portico.ts';
import { freePorts, type ServerProcess, startProcess } from '#test/process.ts';
import { tablesOf } from '#test/row-hash.ts';

/** Backups with the documented login, which is no superuser and for which row-level security applies. */

const login = `dealer_${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(path.join(tmpdir(), 'portico-backup-'));
const backups = path.join(folder, 'backups');
const pools: Pool[] = [];
const servers: ServerProcess[] = [];
let operator: pg.Client;

beforeAll(async () => {
  operator = new pg.Client({ connectionString: inject('postgres') });
  await operator.connect();
  await operator.query(`create role ${login} login nosuperuser nobypassrls`);
  await operator.query(`grant portico_app, portico_system to ${login}`);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await Promise.all(pools.map(pool => pool.end()));
  await operator.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A new database of the login, with its DATABASE_URL and a URL for a superuser. */
async function makeDatabase(): Promise<{ url: string; superuser: Pool }> {
  const name = `backup_${randomBytes(4).toString('hex')}`;
  await operator.query(`create database ${name} owner ${login}`);
  const all = databaseUrl(inject('postgres'), name);
  const superuser = createPool(all, { max: 2, onError: () => undefined });
  pools.push(superuser);
  return { url: all.replace('postgres@', `${login}@`).replace('@/', '@localhost/'), superuser };
}

/** A hash per table, the same in each order of its rows and columns. */
async function hashes(pool: Pool): Promise<Record<string, string>> {
  // The backup notes its own time afterwards; the list of migrations is compared by name.
  const tables = (await tablesOf(pool)).filter(name => name !== 'installation' && name !== 'migrations');
  const hash = async (table: string): Promise<[string, string]> => {
    const { rows } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(to_jsonb(t)::text, '|' order by to_jsonb(t)::text)), '') as hash from ${table} t`,
    );
    return [table, rows[0]!.hash];
  };
  return Object.fromEntries(await Promise.all(tables.map(hash)));
}

const madeIn = (ran: { out: string }): string => /^Backup {4}(.+)$/m.exec(ran.out)![1]!;

describe('a backup of a database with rows in every table', () => {
  const dataDir = path.join(folder, 'first');
  let source: Awaited<ReturnType<typeof makeDatabase>>;
  let backup: string;
  const noted = async (pool: Pool) => (await pool.query('select backed_up_at from installation')).rows;
  /** What the backup noted about itself. */
  let notedThen: Awaited<ReturnType<typeof noted>>;
  beforeAll(async () => {
    source = await makeDatabase();
    const owner = createPool(source.url, { max: 2, onError: () => undefined });
    pools.push(owner);
    // The rows of 0.5.0, brought to this version, and a row in each table that is newer.
    await migrate(owner, '0100-kept-search-text');
    await fillTables(source.superuser);
    await migrate(owner);
    await fillTables(source.superuser);
    mkdirSync(path.join(dataDir, 'uploads/t'), { recursive: true });
    mkdirSync(path.join(dataDir, 'logs/t/d/raw'), { recursive: true });
    writeFileSync(path.join(dataDir, 'uploads/t/logo.webp'), 'a picture');
    writeFileSync(path.join(dataDir, 'logs/t/d/chain.jsonl'), '{}\n');
    writeFileSync(path.join(dataDir, 'logs/t/d/raw/0'), 'lines');
    // The first command notes the key.
    expect(await portico(['tenant', 'list'], { DATABASE_URL: source.url, DATA_DIR: dataDir })).toMatchObject({
      code: 0,
    });
    // The state while SECRET_KEY is rotated.
    writeFileSync(path.join(dataDir, 'secret.key.previous'), 'the previous key');
    const ran = await portico(['backup', '--to', backups, '--with-key'], {
      DATABASE_URL: source.url,
      DATA_DIR: dataDir,
    });
    expect(ran).toMatchObject({ code: 0, error: '' });
    backup = madeIn(ran);
    notedThen = await noted(source.superuser);
  });

  test('restores every row and every file into an empty database, as the same login', async () => {
    const target = await makeDatabase();
    const to = path.join(folder, 'second');
    const ran = await portico(['restore', '--from', backup], { DATABASE_URL: target.url, DATA_DIR: to });
    expect(ran).toMatchObject({ code: 0, error: '' });
    const before = await hashes(source.superuser);
    expect(Object.keys(before).length).toBeGreaterThan(90);
    expect(Object.keys(before).filter(table => before[table]!.startsWith('0 '))).toEqual([]);
    expect(await hashes(target.superuser)).toEqual(before);
    // The doctor of the restored installation knows the backup that it comes from.
    expect(notedThen[0].backed_up_at).not.toBeNull();
    expect(await noted(target.superuser)).toEqual(notedThen);
    for (const file of [
      'uploads/t/logo.webp',
      'logs/t/d/chain.jsonl',
      'logs/t/d/raw/0',
      'secret.key',
      'secret.key.previous',
    ])
      expect(readFileSync(path.join(to, file)), file).toEqual(readFileSync(path.join(dataDir, file)));
    const names = 'select name from migrations order by 1';
    expect((await target.superuser.query(names)).rows).toEqual((await source.superuser.query(names)).rows);
    const walls = `select count(*)::int as n from pg_class where relforcerowsecurity`;
    expect((await target.superuser.query(walls)).rows).toEqual((await source.superuser.query(walls)).rows);
    const constraints = `select conrelid::regclass::text, pg_get_constraintdef(oid) as rule from pg_constraint
      where contype = 'f' and conparentid = 0 order by 1, 2`;
    expect((await target.superuser.query(constraints)).rows).toEqual((await source.superuser.query(constraints)).rows);
    const off = `select count(*)::int as n from pg_trigger where tgenabled = 'D'`;
    expect((await target.superuser.query(off)).rows).toEqual([{ n: 0 }]);

    const again = await portico(['restore', '--from', backup], {
      DATABASE_URL: target.url,
      DATA_DIR: path.join(folder, 'x'),
    });
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.error).toMatch(/^The database is not empty: it has the table \w+\. [^\n]+\n$/);
  });

  test('leaves nothing behind when the restore fails', async () => {
    const target = await makeDatabase();
    // Loads until the foreign keys are checked: the sessions of a device that is missing.
    const broken = path.join(folder, 'broken');
    cpSync(backup, broken, { recursive: true });
    const manifest = JSON.parse(readFileSync(path.join(broken, 'manifest.json'), 'utf8'));
    manifest.database.tables = manifest.database.tables.filter((it: { name: string }) => it.name !== 'devices');
    writeFileSync(path.join(broken, 'manifest.json'), JSON.stringify(manifest));
    const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'failed') };
    const ran = await portico(['restore', '--from', broken], to);
    expect([ran.code, ran.error]).toEqual([1, expect.stringMatching(/foreign key/)]);
    expect(readdirSync(folder)).not.toContain('failed');
    expect(await tablesOf(target.superuser)).toEqual([]);
    const { rows } = await target.superuser.query(`
      select (select count(*) from pg_proc p where pronamespace = 'public'::regnamespace and not exists (
          select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
        + (select count(*) from pg_class where relnamespace = 'public'::regnamespace) as left`);
    expect(rows).toEqual([{ left: 0 }]);
    expect(await portico(['restore', '--from', backup], to)).toMatchObject({ code: 0, error: '' });
  });

  /** Ends the connection of a command in the middle of its work, as a restart of PostgreSQL does. */
  async function loseConnection(pool: Pool, program: string, isBusy: string): Promise<void> {
    const busy = `select pid from pg_stat_activity where application_name = '${program}' and datname = current_database() and ${isBusy}`;
    await expect.poll(async () => (await pool.query(busy)).rowCount).toBe(1);
    await pool.query(`select pg_terminate_backend(pid) from (${busy}) it`);
  }

  test('that loses the database fails in one line, and nothing there looks like a backup', async () => {
    const to = path.join(folder, 'lost');
    const client = await source.superuser.connect();
    await client.query('begin; lock table visitors in access exclusive mode');
    const running = portico(['backup', '--to', to], { DATABASE_URL: source.url, DATA_DIR: dataDir });
    await loseConnection(source.superuser, 'portico backup', `wait_event_type = 'Lock'`);
    await client.query('rollback');
    client.release();
    expect(await running).toEqual({ code: 1, out: '', error: expect.stringMatching(/^[^\n]+\n$/) });
    expect(readdirSync(to)).toEqual([]);
    expect(await portico(['backup', '--to', to], { DATABASE_URL: source.url, DATA_DIR: dataDir })).toMatchObject({
      code: 0,
    });
  });

  test('that is killed leaves nothing that looks like a backup, and the next one is made', async () => {
    const to = path.join(folder, 'killed-backup');
    const from = { DATABASE_URL: source.url, DATA_DIR: dataDir, BACKUP_TO: to };
    const client = await source.superuser.connect();
    await client.query('begin; lock table visitors in access exclusive mode');
    const child = spawnPortico(['backup'], from);
    const waits = `select from pg_stat_activity where application_name = 'portico backup' and datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await source.superuser.query(waits)).rowCount).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.query('rollback');
    client.release();
    expect(readdirSync(to)).toEqual([expect.stringMatching(/^\.portico-\w+\.partial$/)]);
    expect(readdirSync(path.join(to, readdirSync(to)[0]!, 'tables'))).toContain('tenants.copy.gz');
    expect(await portico(['backup', 'verify'], from)).toEqual({
      code: 1,
      out: '',
      error: `There is no backup in ${to}\n`,
    });
    expect(await portico(['backup'], from)).toMatchObject({ code: 0, error: '' });
  });

  test('whose restore loses the database leaves nothing behind either', async () => {
    const target = await makeDatabase();
    const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'lost-restore') };
    const client = await target.superuser.connect();
    await client.query(`select pg_advisory_lock(hashtext('portico.migrations'))`);
    const running = portico(['restore', '--from', backup], to);
    const waits = `select from pg_stat_activity where datname = current_database() and query = 'select pg_try_advisory_lock(hashtext($1)) as got'`;
    await expect.poll(async () => (await target.superuser.query(waits)).rowCount).toBe(1);
    await loseConnection(target.superuser, 'portico restore', 'true');
    await client.query('select pg_advisory_unlock_all()');
    client.release();
    expect(await running).toEqual({ code: 1, out: '', error: expect.stringMatching(/^[^\n]+\n$/) });
    expect(await tablesOf(target.superuser)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('lost-restore');
    expect(await portico(['restore', '--from', backup], to)).toMatchObject({ code: 0, error: '' });
  });

  test('whose restore was killed is not started, and the next restore begins again', async () => {
    const target = await makeDatabase();
    const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'killed') };
    const client = await target.superuser.connect();
    await client.query(`select pg_advisory_lock(hashtext('portico.migrations'))`);
    const child = spawnPortico(['restore', '--from', backup], to);
    const waits = `select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock(hashtext($1)) as got'`;
    await expect.poll(async () => (await target.superuser.query(waits)).rowCount).toBe(1);
    const second = await portico(['restore', '--from', backup], to);
    expect([second.code, second.error]).toEqual([1, expect.stringMatching(/^Another restore [^\n]+\n$/)]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.query('select pg_advisory_unlock_all()');
    client.release();
    // Half of the tables, as if it had come so far.
    const owner = createPool(target.url, { max: 2, onError: () => undefined });
    pools.push(owner);
    await migrate(owner);
    expect(readdirSync(to.DATA_DIR)).toContain('logs');
    const refusal = { code: 1, out: '', error: expect.stringMatching(/^A restore into this database [^\n]+\n$/) };
    expect(await portico(['tenant', 'list'], to)).toEqual(refusal);
    const half = path.join(folder, 'of-half');
    expect(await portico(['backup', '--to', half], to)).toEqual(refusal);
    expect(existsSync(half)).toBe(false);
    expect(await portico(['restore', '--from', backup], to)).toMatchObject({ code: 0, error: '' });
    expect(await hashes(target.superuser)).toEqual(await hashes(source.superuser));
    expect(await portico(['tenant', 'list'], to)).toMatchObject({ code: 0 });
  });

  test('leaves no folder of an embedded database when a restore is refused', async () => {
    const to = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'refused'), SECRET_KEY: 'x'.repeat(32) };
    const ran = await portico(['restore', '--from', backup], to);
    expect([ran.code, ran.error]).toEqual([1, expect.stringMatching(/^The backup needs the SECRET_KEY [^\n]+\n$/)]);
    expect(readdirSync(folder)).not.toContain('refused');
    mkdirSync(to.DATA_DIR);
    writeFileSync(path.join(to.DATA_DIR, 'mine'), '');
    expect((await portico(['restore', '--from', backup], to)).code).toBe(1);
    expect(readdirSync(to.DATA_DIR)).toEqual(['mine']);
  });

  test('names the file for which a full disk has no space', async () => {
    const full = path.join(folder, 'full');
    // The draft of a backup that begins in one of the next two minutes has a table on a device that is always full.
    for (let second = 0; second < 120; second++) {
      const at = new Date(Date.now() + second * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
      mkdirSync(path.join(full, `.portico-${at}.partial/tables`), { recursive: true });
      symlinkSync('/dev/full', path.join(full, `.portico-${at}.partial/tables/tenants.copy.gz`));
    }
    const ran = await portico(['backup', '--to', full], { DATABASE_URL: source.url, DATA_DIR: dataDir });
    expect(ran.code).toBe(1);
    expect(ran.error).toMatch(
      /^The disk is full: free space or add a disk \(ENOSPC: no space left on device, \w+ '[^\n']+\/tables\/tenants\.copy\.gz'\)\n$/,
    );
  });

  test('notes when it was made', async () => {
    const { rows } = await source.superuser.query(
      `select backed_up_at > now() - interval '10 minutes' as lately from installation`,
    );
    expect(rows).toEqual([{ lately: true }]);
  });

  test('is verified by a restore, and a changed file is named', async () => {
    const ran = await portico(['backup', 'verify', '--from', backup], { DATA_DIR: dataDir });
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(ran.out).toMatch(/^Verified {2}.+: \d+ rows, \d+ files/);
    const target = await makeDatabase();
    const file = path.join(backup, 'tables/locations.copy.gz');
    const content = readFileSync(file);
    for (const [change, problem] of [
      [() => writeFileSync(file, content.subarray(1)), 'is not as it was backed up'],
      [() => rmSync(file), 'is missing'],
    ] as const) {
      change();
      const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'third') };
      expect(await portico(['restore', '--from', backup], to)).toEqual({
        code: 1,
        out: '',
        error: `tables/locations.copy.gz ${problem}\n`,
      });
    }
    writeFileSync(file, content);
    expect(await tablesOf(target.superuser)).toEqual([]);
  });

  test('is not restored under another key, unless that is requested', async () => {
    const target = await makeDatabase();
    const to = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'fourth'), SECRET_KEY: 'x'.repeat(32) };
    const ran = await portico(['restore', '--from', backup], to);
    expect([ran.code, ran.error]).toEqual([1, expect.stringMatching(/^The backup needs the SECRET_KEY [^\n]+\n$/)]);
    expect((await portico(['restore', '--from', backup, '--any-key'], to)).code).toBe(0);
    const start = await portico(['tenant', 'list'], to);
    expect([start.code, start.error]).toEqual([1, expect.stringMatching(/^SECRET_KEY is not the key [^\n]+\n$/)]);
    expect((await portico(['secret', 'accept'], to)).code).toBe(0);
    expect((await portico(['tenant', 'list'], to)).code).toBe(0);
    const without = { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'fifth') };
    const missing = await portico(['tenant', 'list'], without);
    expect([missing.code, missing.error]).toEqual([1, expect.stringMatching(/^SECRET_KEY is missing: [^\n]+\n$/)]);
    expect(readdirSync(folder)).not.toContain('fifth');
  });
});

test('a backup of the running product with its own database is restored, and the product runs on it', async () => {
  const account = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a password for tests' };
  const ports = await freePorts();
  const start = async (dataDir: string, more: Record<string, string> = {}) => {
    const server = await startProcess(dataDir, { ...ports, ...account, RATE_LIMIT: '1000000', ...more });
    servers.push(server);
    return server;
  };
  const call = async (method: string, at: string, token?: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${ports.PORT}/v1/${at}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status, at).toBeLessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: tests check the shape of an answer
    return (await answer.json()) as any;
  };
  const signIn = async () =>
    (await call('POST', 'user/login', undefined, { email: account.ADMIN_EMAIL, password: account.ADMIN_PASSWORD })).data
      .token;

  const dataDir = path.join(folder, 'live');
  mkdirSync(dataDir);
  const server = await start(dataDir);
  const token = await signIn();
  const location_id = (await call('POST', 'panel/location', token, { name: 'Otel' })).data.id;
  const [brand] = (await call('GET', 'panel/device/brands', token)).data;
  const device = (
    await call('POST', 'panel/device', token, {
      ...{ location_id, brand_id: brand.id, name: 'Lobi', mac_address: '02:00:00:00:00:01' },
    })
  ).data;
  let over = false;
  let written = 0;
  const writer = (async () => {
    for (; !over; written++) {
      const { data } = await call('POST', 'panel/location', token, { name: `Otel ${written}` });
      await call('POST', 'panel/client', token, {
        ...{ location_id: data.id, name: 'A', provider_type: 'username', username: `u${written}`, password: 'gizli 1' },
      });
    }
  })();
  // A place takes the backups of one installation.
  const own = path.join(folder, 'own');
  const ran = await portico(['backup', '--to', own, '--with-key', '--keep', '1'], { DATA_DIR: dataDir });
  expect(ran).toMatchObject({ code: 0, error: '' });
  over = true;
  await writer;
  expect(written).toBeGreaterThan(0);
  expect(readdirSync(own).sort()).toEqual([path.basename(madeIn(ran)), 'portico-installation']);
  await server.stop();

  const target = await makeDatabase();
  const restored = path.join(folder, 'restored');
  mkdirSync(restored);
  const to = { DATABASE_URL: target.url, DATA_DIR: restored };
  expect(await portico(['restore', '--from', madeIn(ran)], to)).toMatchObject({ code: 0, error: '' });
  await start(restored, to);
  const same = (await call('GET', `panel/device/${device.id}`, await signIn())).data;
  expect([same.name, same.secret]).toEqual(['Lobi', device.secret]);
});

test('commands on the embedded database of a stopped product take turns', async () => {
  const own = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'stopped'), SECRET_KEY: 'k'.repeat(32) };
  const make = ['tenant', 'create', '--slug', 'acme', '--email', 'ada@example.com'];
  expect(await portico(make, own)).toMatchObject({ code: 0 });
  const to = path.join(folder, 'turns');
  const made = await Promise.all([1, 2].map(() => portico(['backup', '--to', to], own)));
  expect(made.map(it => it.code)).toEqual([0, 0]);
  expect(new Set(made.map(madeIn)).size).toBe(2);
  // The one that is refused must not remove the database that the other one has made.
  const target = { ...own, DATA_DIR: path.join(folder, 'turns-target') };
  const restore = ['restore', '--from', madeIn(made[0]!)];
  const restored = await Promise.all([portico(restore, target), portico(restore, target)]);
  const [first, second] = restored.sort((a, b) => Number(a.code) - Number(b.code));
  expect([first!.code, second!.code, second!.error]).toEqual([
    0,
    1,
    expect.stringMatching(/The database is not empty/),
  ]);
  expect(await portico(['tenant', 'list'], target)).toMatchObject({ code: 0, out: expect.stringContaining('acme') });
});
