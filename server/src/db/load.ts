import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openClient } from './client.ts';
import { type DatabaseDump, hashing } from './dump.ts';
import { migrate, migrateTo, migrations } from './migrate.ts';
import { createPool } from './pool.ts';
import { endMark, markTable, type Queryable } from './restore-mark.ts';

/** The dump cannot be loaded, or the database must not be used. The message is one line for the operator. */
export class LoadError extends Error {}

/** Opens the rows of a table, as they were written. */
export type OpenTable = (name: string) => Promise<Readable>;

/**
 * Loads a dump into an empty database, in one transaction. The login needs no more rights than the product: constraints
 * between tables, triggers and forced row-level security are taken off and put back within the transaction. A failure leaves the
 * schema. `mark`: that of the restore, which ends with the transaction.
 */
export async function loadDatabase(url: string, open: OpenTable, dump: DatabaseDump, mark?: string): Promise<void> {
  await requireEmpty(url);
  const client = await openClient(url, 'restore');
  try {
    await createSchema(url, dump);
    await client.query("begin; set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'");
    if (mark !== undefined) await endMark(client, mark);
    await createMonths(client, dump);
    const putBack = await takeOff(client);
    const { rows } = await client.query<{ name: string }>(`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migrations'`);
    await client.query(`truncate ${rows.map(it => pg.escapeIdentifier(it.name)).join(', ')}`);
    for (const table of dump.tables) await loadTable(client, open, table);
    for (const { name, value, called } of dump.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [pg.escapeIdentifier(name), value, called]);
    for (const statement of putBack) await client.query(statement);
    await client.query('delete from migrations');
    await client.query('insert into migrations (name) select unnest($1::text[])', [dump.migrations]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await client.end().catch(() => undefined);
    throw error;
  }
  // The database is whole without statistics too; autovacuum makes them later.
  await client.query('analyze').catch(() => undefined);
  await client.end();
}

/** Empties the database again, except extensions and the mark of a restore. So this can be repeated after a kill. */
export async function removeSchema(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(`
    select drop from (
      select 1 as turn, format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'm' then 'materialized view'
          when 'S' then 'sequence' else 'table' end, oid::regclass) as drop
        from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
          and relname <> '${markTable}' and not exists (select from pg_depend d where d.objid = c.oid and (d.deptype = 'e' or c.relkind = 'S' and d.deptype = 'i'))
      union all
      select 2, format('drop routine if exists %s cascade', p.oid::regprocedure)
        from pg_proc p where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select 3, format('drop type if exists %s cascade', t.oid::regtype)
        from pg_type t left join pg_class c on c.oid = t.typrelid
        where typnamespace = 'public'::regnamespace and (t.typtype in ('e', 'd') or (t.typtype = 'c' and c.relkind = 'c'))
    ) drops order by turn`);
  for (const { drop } of rows) await client.query(drop);
}

/** Throws unless the database has no tables but the mark of a restore. */
export async function requireEmpty(url: string): Promise<void> {
  const client = await openClient(url, 'restore');
  try {
    const { rows } = await client.query<{ name: string }>(`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname <> '${markTable}' limit 1`);
    if (rows[0])
      throw new LoadError(
        `The database is not empty: it has the table ${rows[0].name}. Restore into an empty database, before the first start`,
      );
  } finally {
    await client.end();
  }
}

/** Creates the schema of the version that made the dump. The next start applies the migrations since. */
async function createSchema(url: string, dump: DatabaseDump): Promise<void> {
  const known = new Set(migrations.map(it => it.name));
  const wanted = dump.migrations.filter(name => name >= migrations[0]!.name);
  const foreign = wanted.find(name => !known.has(name));
  if (foreign)
    throw new LoadError(`The backup has migration ${foreign}: restore it with the version of Portico that made it`);
  const pool = createPool(url, { max: 1, onError: () => undefined });
  try {
    // The schema as a whole is quicker than its migrations.
    await (wanted.length === migrations.length ? migrate(pool) : migrateTo(pool, new Set(wanted)));
  } finally {
    await pool.end();
  }
}

/** Creates the months' tables of the dump, so that no row lands in the table for other months. */
async function createMonths(client: pg.Client, { months: { first, last } }: DatabaseDump): Promise<void> {
  if (!first || !last) return;
  await client.query(
    `select ensure_partitions(
      greatest(0, (extract(year from age($2::date, m)) * 12 + extract(month from age($2::date, m)))::int),
      greatest(1, (extract(year from age(m, $1::date)) * 12 + extract(month from age(m, $1::date)))::int))
    from (select date_trunc('month', now() at time zone 'UTC')::date as m) this`,
    [first, last],
  );
}

/** Removes constraints, triggers and forced row-level security; returns the statements that restore them. */
async function takeOff(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ off: string; back: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
      from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
    union all
    select format('alter table %s disable trigger user', oid::regclass), format('alter table %s enable trigger user', oid::regclass)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union all
    select format('alter table %s no force row level security', oid::regclass), format('alter table %s force row level security', oid::regclass)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relforcerowsecurity`);
  for (const { off } of rows) await client.query(off);
  return rows.map(row => row.back);
}

async function loadTable(client: pg.Client, open: OpenTable, table: DatabaseDump['tables'][number]): Promise<void> {
  const { name, columns, sha256, rows } = table;
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  const source = await open(name);
  const into = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`));
  const { through, digest } = hashing();
  await pipeline(source, createGunzip(), through, into);
  if (digest() !== sha256 || into.rowCount !== rows)
    throw new LoadError(`The file of the table ${name} is not as it was backed up`);
}
