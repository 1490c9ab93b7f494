import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openClient } from './client.ts';
import { changeRows, type Row } from './copy-text.ts';
import { hashing, monthsQuery, type TableDump, tableFile } from './dump.ts';
import { requireId } from './tenant.ts';
import { moverSetting } from './tenant-freeze.ts';
import { type TenantTable, tenantTables } from './tenant-tables.ts';

export interface TenantDump {
  readonly migrations: readonly string[];
  readonly tables: readonly TableDump[];
  readonly months: { readonly first: string | null; readonly last: string | null };
}

/** Changes the rows of a table on their way; undefined: rows stay as they are. */
export type ChangeOfTable = (table: string) => ((row: Row) => ReadonlyMap<string, string | null>) | undefined;

/** Writes all rows of one tenant as they are at one moment, one file per table. They are read as the tenant, behind its wall. */
export async function dumpTenant(
  url: string,
  tenantId: string,
  folder: string,
  changeOf: ChangeOfTable,
): Promise<TenantDump> {
  const id = pg.escapeLiteral(requireId(tenantId));
  const client = await openClient(url, 'export');
  try {
    await client.query(`begin isolation level repeatable read, read only; set local timezone = 'UTC'; set local datestyle = 'ISO, MDY';
      set local portico.tenant = ${id}; set local ${moverSetting} = ${id}`);
    const migrations = (await client.query<{ name: string }>('select name from migrations order by 1')).rows;
    const tables: TableDump[] = [];
    for (const table of await tenantTables(client)) {
      await client.query(`set local role ${table.ownReads ? 'portico_app' : 'portico_system'}`);
      const dumped = await dumpTable(client, { table, id, folder }, changeOf(table.name));
      tables.push({ name: table.name, columns: table.columns, ...dumped });
      await client.query('set local role none');
    }
    const { rows: months } = await client.query<TenantDump['months']>(monthsQuery);
    await client.query('commit');
    return { migrations: migrations.map(it => it.name), tables, months: months[0]! };
  } finally {
    await client.end();
  }
}

async function dumpTable(
  client: pg.Client,
  { table, id, folder }: { table: TenantTable; id: string; folder: string },
  change: ReturnType<ChangeOfTable>,
) {
  const { name, key, columns, ownReads } = table;
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  const where = ownReads ? '' : ` where ${key} = ${id}`;
  const rows = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}${where}) to stdout`));
  const { through, digest } = hashing();
  const file = createWriteStream(tableFile(folder, name), { mode: 0o600 });
  const gzip = createGzip({ level: 6 });
  await (change
    ? pipeline(rows, changeRows(columns, change), through, gzip, file)
    : pipeline(rows, through, gzip, file));
  return { rows: rows.rowCount ?? 0, sha256: digest() };
}
