import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type PoolClient } from 'pg';
import { buildIndexes } from './build-indexes.ts';
import { exclusively } from './lock.ts';
import type { Pool } from './pool.ts';

export interface Migration {
  readonly name: string;
  readonly sql: () => string;
}

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const sqlFiles = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter(file => file.endsWith('.sql'))
    .sort();

/** The schema files that others depend on, in this order; all others follow by name. */
const schemaOrder = [
  'shared',
  'tenants',
  'auth',
  'locations',
  'team',
  'profiles',
  'integrations',
  'portals',
  'devices',
  'licences',
  'visitors',
  'sessions',
  'sessions.limits',
  'sessions.authorize',
  'sessions.account',
  'qr-menu',
  'portals.pictures',
].map(name => `${name}.sql`);

/** The schema as it is now, which a new installation runs (after roles.sql, which every migration starts with). */
function schema(): string {
  const others = sqlFiles('schema/').filter(file => file !== 'roles.sql' && !schemaOrder.includes(file));
  return [...schemaOrder, ...others].map(file => read(`schema/${file}`)).join('\n');
}

/** The numbered migrations, oldest first. The first one is the baseline: it brings 0.5.0 to the schema of that time. */
export const migrations: readonly Migration[] = sqlFiles('migrations/').map(file => ({
  name: file.slice(0, -4),
  sql: () => read(`migrations/${file}`),
}));
const baseline = migrations[0]!.name;

/** The migrations of 0.1.0 to 0.5.0, for databases that are older than the baseline. */
export function oldMigrations(): Migration[] {
  return read('upgrade/until-0.5.sql')
    .split(/^-- migration (?=\d{4}-)/m)
    .slice(1)
    .map(section => {
      const end = section.indexOf('\n');
      return { name: section.slice(0, end), sql: () => section.slice(end + 1) };
    });
}

/**
 * Runs SQL in one transaction and records the names. An owner that is no superuser can give a function only to a role with
 * the right to create in the schema. So portico_system has it for the length of the transaction.
 */
async function apply(client: PoolClient, text: string, names: readonly string[]): Promise<void> {
  const values = names.map(name => `('${name}')`).join(', ');
  try {
    await client.query(`begin;
      set local lock_timeout = '2s';
      ${read('schema/roles.sql')};
      grant create on schema public to portico_system;
      ${text};
      revoke create on schema public from portico_system;
      insert into migrations (name) values ${values};
      commit`);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Lock not available, deadlock detected. */
const waitsForOthers = new Set(['55P03', '40P01']);
const retryMs = 1000;
/** Ten minutes while a lock is waited for. */
const retries = 200;

/**
 * Applies a migration while other processes serve. Their queries wait behind a migration that waits for a lock, for example
 * until an export ends. So the migration gives up after two seconds, lets them continue and tries again.
 */
async function applyBesideOthers(client: PoolClient, { name, sql }: Migration): Promise<void> {
  const text = sql();
  await buildIndexes(client, text);
  await retryBesideOthers(() => apply(client, text, [name]));
}

async function retryBesideOthers(work: () => Promise<void>): Promise<void> {
  for (let left = retries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError) || !waitsForOthers.has(error.code ?? '') || left === 0) throw error;
      await sleep(retryMs);
    }
  }
}

/** Throws while a tenant is frozen: a migration would not see its rows, or fail at them. */
async function refuseWhileMoving(client: PoolClient): Promise<void> {
  const { rows: known } = await client.query("select to_regclass('tenant_moves') is not null as known");
  if (!known[0].known) return;
  const { rows } = await client.query<{ slug: string }>(
    "select slug from tenant_moves where direction = 'out' and state in ('frozen', 'moved') limit 1",
  );
  if (rows[0])
    throw new Error(
      `The tenant ${rows[0].slug} is being moved: confirm or cancel the move with the version until now, then update`,
    );
}

async function bringUp(client: PoolClient, isWanted?: (name: string) => boolean): Promise<number> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(row => row.name));
  const old = oldMigrations();
  const unknown = [...done].find(name => ![...old, ...migrations].some(m => m.name === name));
  if (unknown) throw new Error(`The database has migration ${unknown}, which this version of Portico does not know`);
  if (done.size === 0 && !isWanted) {
    await retryBesideOthers(() =>
      apply(
        client,
        schema(),
        migrations.map(m => m.name),
      ),
    );
    return migrations.length;
  }
  const missing = [...(done.has(baseline) ? [] : old), ...migrations].filter(
    ({ name }) => !done.has(name) && (isWanted?.(name) ?? true),
  );
  if (missing.length > 0) await refuseWhileMoving(client);
  for (const migration of missing) {
    await applyBesideOthers(client, migration).catch(error => {
      throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
    });
  }
  return missing.length;
}

/**
 * Creates the schema in an empty database, or applies the migrations that are missing. Several processes may call it at once.
 * Returns how many migrations were recorded. `upTo` (the name of a migration) makes a database of an older version, for tests.
 */
export const migrate = (pool: Pool, upTo?: string): Promise<number> =>
  exclusively(pool, 'portico.migrations', client => bringUp(client, upTo ? name => name <= upTo : undefined));

/** Creates the schema of a database that had these migrations since the baseline. Its version may lack some in between. */
export const migrateTo = (pool: Pool, names: ReadonlySet<string>): Promise<number> =>
  exclusively(pool, 'portico.migrations', client => bringUp(client, name => name < baseline || names.has(name)));
