import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openClient } from './client.ts';
import { changeRows } from './copy-text.ts';
import { hashing, type TableDump, tableFile } from './dump.ts';
import { sqlState } from './errors.ts';
import { LoadError } from './load.ts';
import { migrations } from './migrate.ts';
import { requireId } from './tenant.ts';
import type { ChangeOfTable, TenantDump } from './tenant-dump.ts';
import { moverSetting } from './tenant-freeze.ts';
import { type TenantTable, tenantTables } from './tenant-tables.ts';

const grant =
  'This database login may not switch triggers off for its own transaction: as a superuser run "grant set on parameter session_replication_role to <login>", and repeat';

/** A connection whose transactions run without triggers and without checks between tables. */
async function connect(url: string): Promise<pg.Client> {
  const client = await openClient(url, 'import');
  try {
    await client.query(`set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set session_replication_role = replica`);
  } catch (error) {
    await client.end();
    throw sqlState(error) === '42501' ? new LoadError(grant) : error;
  }
  return client;
}

/** Throws unless the login may load and remove tenants. */
export const requireLoader = async (url: string): Promise<void> => (await connect(url)).end();

const other = 'has another version of Portico: bring both installations to the same one';
const isThis = (names: readonly string[]): boolean =>
  names.filter(name => name >= migrations[0]!.name).join() === migrations.map(it => it.name).join();

/** Throws unless a database is of this version. Nothing is migrated, because another version may run on it. */
export async function requireVersion(url: string): Promise<void> {
  const client = await openClient(url, 'move');
  try {
    const { rows } = await client.query<{ name: string }>('select name from migrations order by 1');
    if (!isThis(rows.map(it => it.name))) throw new LoadError(`The other installation ${other}`);
  } catch (error) {
    throw sqlState(error) === '42P01'
      ? new LoadError('The other installation was never started: start it once')
      : error;
  } finally {
    await client.end();
  }
}

/** Throws unless an export is of this version. */
export function requireVersionOf(dump: TenantDump): void {
  if (!isThis(dump.migrations)) throw new LoadError(`The export ${other}`);
}

export interface Loading {
  readonly tenantId: string;
  readonly folder: string;
  readonly dump: TenantDump;
  readonly changeOf: ChangeOfTable;
  /** Further statements of the same transaction, as portico_system. */
  readonly after: string;
  /** Another process may begin now: nothing is added any more. */
  readonly lost: AbortSignal;
}

/**
 * Adds one tenant to a database with others, in one transaction and without locks that others notice. Each row is first put
 * into a table of its own, which refuses a row of another tenant. Row-level security refuses it once more.
 */
export async function loadTenant(url: string, it: Loading): Promise<void> {
  const id = pg.escapeLiteral(requireId(it.tenantId));
  const client = await connect(url);
  // Its transaction is rolled back, also where it waits for a table.
  const giveUp = () => client.connection.stream.destroy();
  it.lost.addEventListener('abort', giveUp);
  try {
    it.lost.throwIfAborted();
    await makeMonths(client, it.dump);
    await client.query(`begin; set local portico.tenant = ${id}`);
    const known = new Map((await tenantTables(client)).map(table => [table.name, table]));
    if (it.dump.tables.length !== known.size || it.dump.tables.some(table => !known.has(table.name)))
      throw new LoadError('The export does not have the tables of this version');
    for (const table of it.dump.tables) await loadTable(client, known.get(table.name)!, table, it);
    await requireReferences(client, id);
    await client.query(`set local role portico_system; ${it.after}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const { constraint, table } = error as { constraint?: string; table?: string };
    if (sqlState(error) === '23505')
      throw new LoadError(`This installation has a row of ${table} that the tenant also has (${constraint})`);
    throw error;
  } finally {
    it.lost.removeEventListener('abort', giveUp);
    await client.end();
  }
}

async function makeMonths(client: pg.Client, { months: { first, last } }: TenantDump): Promise<void> {
  if (!first || !last) return;
  // Sessions of months that are archived here belong to the table for other months.
  const { rows } = await client.query<{ after: string | null }>(
    `select to_char(max(month) + interval '1 month', 'YYYY-MM-DD') as after from session_archives`,
  );
  const after = rows[0]!.after;
  if (after && after > last) return;
  // In a transaction of its own, because other sessions wait for its locks.
  await client.query(
    `select ensure_partitions(
      greatest(0, (extract(year from age($2::date, m)) * 12 + extract(month from age($2::date, m)))::int),
      greatest(1, (extract(year from age(m, $1::date)) * 12 + extract(month from age(m, $1::date)))::int))
    from (select date_trunc('month', now() at time zone 'UTC')::date as m) this`,
    [after && after > first ? after : first, last],
  );
}

async function loadTable(client: pg.Client, table: TenantTable, dumped: TableDump, it: Loading): Promise<void> {
  const { name, key, columns } = table;
  if (columns.join() !== dumped.columns.join()) throw new LoadError(`The table ${name} has other columns here`);
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  const into = pg.escapeIdentifier(name);
  await client.query(
    `create temporary table arriving on commit drop as select ${list} from ${into} with no data; grant select on arriving to portico_app, portico_system`,
  );
  const rows = client.query(copyFrom(`copy arriving (${list}) from stdin`));
  const { through, digest } = hashing();
  const change = it.changeOf(name);
  const changing = change ? changeRows(columns, change) : new PassThrough();
  await pipeline(createReadStream(tableFile(it.folder, name)), createGunzip(), through, changing, rows);
  if (digest() !== dumped.sha256 || rows.rowCount !== dumped.rows)
    throw new LoadError(`The file of the table ${name} is not as it was exported`);
  const { rowCount: foreign } = await client.query(
    `select from arriving where ${key} is distinct from ${pg.escapeLiteral(it.tenantId)} limit 1`,
  );
  if (foreign) throw new LoadError(`The file of the table ${name} has a row of another tenant`);
  await client.query(`set local role ${table.ownInserts && table.ownReads ? 'portico_app' : 'portico_system'}`);
  await client.query(`insert into public.${into} (${list}) select ${list} from arriving`);
  await client.query('set local role none; drop table arriving');
}

/** The checks of the foreign keys, for the new rows only. */
async function requireReferences(client: pg.Client, id: string): Promise<void> {
  const { rows } = await client.query<{ name: string; child: string; parent: string; own: string[]; other: string[] }>(`
    select c.conname as name, c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
      array(select quote_ident(a.attname) from unnest(c.conkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by i) as own,
      array(select quote_ident(a.attname) from unnest(c.confkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by i) as other
    from pg_constraint c
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace
      and exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = 'tenant_id')`);
  await client.query('set local role portico_system');
  for (const { name, child, parent, own, other } of rows) {
    const { rowCount } = await client.query(`
      select from ${child} c where c.tenant_id = ${id} and ${own.map(column => `c.${column} is not null`).join(' and ')}
        and not exists (select from ${parent} p where ${own.map((column, i) => `p.${other[i]} = c.${column}`).join(' and ')}) limit 1`);
    if (rowCount) throw new LoadError(`A row of ${child} refers to one of ${parent} that is not there (${name})`);
  }
  await client.query('set local role none');
}

/** Removes all rows of a tenant, table by table. May be repeated after it was killed. Ends when `lost` says that another process may begin. */
export async function removeTenant(url: string, tenantId: string, lost?: AbortSignal): Promise<void> {
  const id = pg.escapeLiteral(requireId(tenantId));
  const client = await connect(url);
  try {
    const tables = await tenantTables(client);
    // The tenant's own row last, so that a repetition finds it.
    for (const { name, key, systemDeletes } of [...tables.slice(1), tables[0]!]) {
      lost?.throwIfAborted();
      const table = pg.escapeIdentifier(name);
      // Others never see the right, because it is taken back in the same transaction.
      const [allow, forbid] = systemDeletes
        ? ['', '']
        : [`grant delete on ${table} to portico_system;`, `revoke delete on ${table} from portico_system;`];
      await client.query(`begin; ${allow} set local role portico_system; set local ${moverSetting} = ${id};
        delete from ${table} where ${key} = ${id}; set local role none; ${forbid} commit`);
    }
  } finally {
    await client.end();
  }
}
