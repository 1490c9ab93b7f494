import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { createPool, type Pool } from '#db/pool.ts';
import { fillTables } from '#db/testing/old-rows.ts';
import { appendLink } from '#features/logs/chain.ts';
import { createSecrets } from '#lib/secrets.ts';
import { freshDatabase } from '#test/database.ts';
import { tablesOf } from '#test/row-hash.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { encryptedColumns } from '../../key-rotation.queries.ts';
import { openApp } from '../../open-app.ts';
import type { Installation } from '../move.ts';

export const [first, second, third] = [1, 2, 3].map(n => `019aa000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
export interface Place {
  readonly pool: Pool;
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly secrets: ReturnType<typeof createSecrets>;
}

/** Makes a place that tests copy. Its pool has to end first. */
export async function makePlace(root: string, name: string): Promise<Place> {
  const place = openPlace(root, name, (await freshDatabase({ empty: true })).url);
  const { pool } = place;
  // The rows of 0.5.0, brought to this version, and a row in each table that is newer.
  await migrate(pool, '0100-kept-search-text');
  await fillTables(pool);
  await migrate(pool);
  await fillTables(pool);
  await pool.query(
    'delete from moved_routers; delete from tenant_moves; delete from session_archives; delete from tenant_keys',
  );
  return place;
}

/** The same installation again, with a database and a folder that only one test changes. */
export async function copyPlace(of: Place, root: string): Promise<Place> {
  const { url } = await freshDatabase({ copyOf: new URL(of.environment['DATABASE_URL']!).pathname.slice(1) });
  const place = openPlace(root, path.basename(of.folder), url);
  onTestFinished(() => place.pool.end());
  cpSync(of.folder, place.folder, { recursive: true });
  return place;
}

function openPlace(root: string, name: string, url: string): Place {
  const pool = createPool(url, { max: 3, onError: () => undefined });
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true });
  const SECRET_KEY = `the key of the installation ${name}, long enough`;
  const environment = {
    ...{ DATABASE_URL: url.replace('@/', '@localhost/'), DATA_DIR: folder, SECRET_KEY, NODE_ENV: 'test' },
    ...{ PUBLIC_URL: `https://${name}.example`, CAPTIVE_URL: `https://guests.${name}.example` },
  };
  writeFileSync(
    path.join(root, `${name}.env`),
    Object.entries(environment)
      .map(([key, value]) => `${key}='${value}'\n`)
      .join(''),
  );
  return { pool, folder, environment, secrets: createSecrets(SECRET_KEY) };
}

export const tenantTablesOf = async (pool: Pool) => ['tenants', ...(await tablesOf(pool, { column: 'tenant_id' }))];
export const keyOf = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

/** Gives the first tenant's rows to a new tenant too, with other values where they must be unique across tenants. */
export async function addTenant(pool: Pool, id: string, slug: string, nas: string): Promise<void> {
  const n = id.slice(-1);
  const client = await pool.connect();
  await client.query('begin; set local session_replication_role = replica');
  for (const table of await tenantTablesOf(pool)) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t where ${keyOf(table)} = $1`,
      [first],
    );
    const { rows: columns } = await client.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const list = columns.map(it => it.name).join(', ');
    for (const { row } of rows)
      await client.query(
        `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`,
        [
          row
            .replaceAll(first, id)
            .replaceAll(/"slug": "(x|acme)"/g, `"slug": "${slug}"`)
            .replaceAll(/"host": "(x|wifi.acme.example)"/g, `"host": "${slug}.example"`)
            .replaceAll('abcdefgh', nas)
            .replaceAll('abcdefghij', `${nas}ij`)
            .replaceAll('\\\\x01', `\\\\x0${n}`),
        ],
      );
  }
  await client.query('commit');
  client.release();
}

export async function removeRows(pool: Pool, id: string): Promise<void> {
  const client = await pool.connect();
  await client.query('begin; set local session_replication_role = replica');
  for (const table of await tenantTablesOf(pool))
    await client.query(`delete from ${table} where ${keyOf(table)} = $1`, [id]);
  await client.query('commit');
  client.release();
}

export async function encryptAll(place: Place, id: string): Promise<void> {
  for (const { table, column, member } of encryptedColumns) {
    if (['radsec_authority', 'tenant_keys', 'push_keys'].includes(table)) continue;
    const value = member ? `jsonb_set(${column}, '{${member}}', to_jsonb($1::text))` : '$1';
    const text = place.secrets.encrypt(`${table}.${column} of ${id}`);
    const { rowCount } = await place.pool.query(`update ${table} set ${column} = ${value} where tenant_id = $2`, [
      text,
      id,
    ]);
    expect(rowCount, table).toBeGreaterThan(0);
  }
}

export type Rows = Map<string, Record<string, unknown>[]>;
export async function rowsOf(pool: Pool, id: string): Promise<Rows> {
  const found: Rows = new Map();
  for (const table of await tenantTablesOf(pool)) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${table} t where ${keyOf(table)} = $1 order by to_jsonb(t)::text`,
      [id],
    );
    found.set(
      table,
      rows.map(it => it.row),
    );
  }
  return found;
}

/** The rows with their secrets in clear, and without what the installation computes from its key. */
export function inClear(rows: Rows, { secrets }: Place): Rows {
  const hashes: Record<string, string> = {
    visitors: 'citizen_id_hash',
    vouchers: 'code_hash',
    purchases: 'code_hash',
    log_streams: 'stored_length',
  };
  return new Map(
    [...rows].map(([table, all]) => [
      table,
      all.map(row => {
        const clear: Record<string, unknown> = structuredClone(row);
        for (const { column, member } of encryptedColumns.filter(it => it.table === table)) {
          const within = (member ? clear[column] : clear) as Record<string, string>;
          within[member ?? column] = secrets.decrypt(within[member ?? column]!);
        }
        const hash = hashes[table];
        if (hash) delete clear[hash];
        return clear;
      }),
    ]),
  );
}

/** Everything in a database, so that a refusal can be shown to change nothing. */
export const everything = async (pool: Pool): Promise<string> => {
  const tables = (await tablesOf(pool)).filter(it => it !== 'installation' && it !== 'clock');
  const sums = await Promise.all(
    tables.map(async table => {
      const { rows } = await pool.query<{ sum: string }>(
        `select count(*) || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t`,
      );
      return `${table} ${rows[0]!.sum}`;
    }),
  );
  return sums.join('\n');
};

export async function installation(place: Place): Promise<Installation> {
  const settings = readSettings({ environment: place.environment, folder: place.folder }) as Settings;
  const url = place.environment['DATABASE_URL']!;
  const app = await openApp(settings, url);
  onTestFinished(app.stop);
  return { app, url };
}

/** A sealed file of the first tenant's device, in a chain that this installation signed. */
export async function sealFile(place: Place): Promise<void> {
  const folder = path.join(place.folder, 'logs', first, first);
  mkdirSync(path.join(folder, 'files'), { recursive: true });
  mkdirSync(path.join(folder, 'raw'));
  writeFileSync(path.join(folder, 'raw/0'), 'the open day\n');
  writeFileSync(path.join(folder, 'files/2026-11-03-dns.log.gz'), 'sealed');
  const sha256 = createHash('sha256').update('sealed').digest('hex');
  const link = await appendLink(
    folder,
    { kind: 'file', file: 'files/2026-11-03-dns.log.gz', day: '2026-11-03', part: 1, type: 'dns', lines: 1, sha256 },
    { device: `${first}/${first}`, sign: place.secrets.sign, links: [] },
  );
  await place.pool.query(
    'update log_streams set chain_length = 1, chain_head = $1, stored_length = 1 where tenant_id = $2',
    [link.chain, first],
  );
  mkdirSync(path.join(place.folder, 'uploads', first), { recursive: true });
  writeFileSync(path.join(place.folder, 'uploads', first, 'logo.webp'), 'a picture');
  mkdirSync(path.join(place.folder, 'logs', second, second), { recursive: true });
  writeFileSync(path.join(place.folder, 'logs', second, second, 'note'), 'of the second tenant');
}
