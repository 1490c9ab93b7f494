import { createHash } from 'node:crypto';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openClient } from './client.ts';
import { refuseHalfRestored } from './restore-mark.ts';
import { moverSetting } from './tenant-freeze.ts';

export interface TableDump {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** The hash of the uncompressed text. */
  readonly sha256: string;
}

export interface DatabaseDump {
  readonly migrations: readonly string[];
  readonly tables: readonly TableDump[];
  readonly sequences: readonly { readonly name: string; readonly value: string; readonly called: boolean }[];
  /** The first days of the oldest and the newest month with a table of its own. */
  readonly months: { readonly first: string | null; readonly last: string | null };
  readonly keyFingerprint: string | null;
}

/** The file of a table within a dump. */
export const tableFile = (folder: string, name: string): string => path.join(folder, `${name}.copy.gz`);

/** Keeps the content of the file of a table. */
export type WriteTable = (name: string, content: AsyncIterable<Buffer>) => Promise<void>;

/** A stream that hashes all bytes. */
export function hashing(): { readonly through: Transform; readonly digest: () => string } {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, digest: () => hash.digest('hex') };
}

/** Tables by name, partitions as part of theirs, each with the columns that are not generated. */
const tables = `
  select c.relname as name, c.relrowsecurity or not has_table_privilege(current_user, c.oid, 'select') as walled,
    array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
  group by c.oid order by 1`;

/** The first days of the oldest and the newest month with a table of its own. */
export const monthsQuery = `
  select to_char(min(day), 'YYYY-MM-DD') as first, to_char(max(day), 'YYYY-MM-DD') as last from (
    select to_date(right(relname, 7), 'YYYY_MM') as day from pg_class
    where relispartition and relnamespace = 'public'::regnamespace and relname ~ '_[0-9]{4}_[0-9]{2}$') parts`;

/**
 * Writes a consistent snapshot of all rows, one file per table, while the product runs. The login needs no more
 * rights than the product, because rows behind row-level security are read as portico_system.
 */
export async function dumpDatabase(url: string, write: WriteTable): Promise<DatabaseDump> {
  const client = await openClient(url, 'backup');
  const many = async <R extends pg.QueryResultRow>(text: string) => (await client.query<R>(text)).rows;
  try {
    // With the rows of tenants that are frozen.
    await client.query(
      `begin isolation level repeatable read, read only; set local timezone = 'UTC'; set local ${moverSetting} = 'all'`,
    );
    await refuseHalfRestored(client);
    const migrations = (await many<{ name: string }>('select name from migrations order by 1')).map(it => it.name);
    const dumped: TableDump[] = [];
    for (const { name, columns, walled } of await many<{ name: string; columns: string[]; walled: boolean }>(tables)) {
      await client.query(walled ? 'set local role portico_system' : 'set local role none');
      dumped.push({ name, columns, ...(await dumpTable(client, write, name, columns)) });
    }
    await client.query('set local role none');
    const sequences = await many<{ name: string; value: string; called: boolean }>(`
      select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as called
      from pg_sequences where schemaname = 'public' order by 1`);
    const [span] = await many<{ first: string | null; last: string | null }>(monthsQuery);
    await client.query('set local role portico_system');
    const [row] = await many<{ key: string | null }>('select key_fingerprint as key from installation');
    await client.query('commit');
    return { migrations, tables: dumped, sequences, months: span!, keyFingerprint: row!.key };
  } finally {
    await client.end();
  }
}

async function dumpTable(client: pg.Client, write: WriteTable, name: string, columns: readonly string[]) {
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`));
  const { through, digest } = hashing();
  await pipeline(rows, through, createGzip({ level: 6 }), content => write(name, content as AsyncIterable<Buffer>));
  return { rows: rows.rowCount ?? 0, sha256: digest() };
}
