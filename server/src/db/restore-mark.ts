import type pg from 'pg';
import { openClient } from './client.ts';

/** The table that a database has while a backup is restored into it. It stays when the restore is killed. */
export const markTable = 'restore_unfinished';

interface RestoreMark {
  readonly data_dir: string;
  /** The names in DATA_DIR before the restore. */
  readonly had: readonly string[];
}

export type Asked = Pick<pg.ClientBase, 'query'>;

/** Works on a connection of its own. */
export async function onDatabase<T>(url: string, work: (client: Asked) => Promise<T>): Promise<T> {
  const client = await openClient(url, 'restore');
  return work(client).finally(() => client.end());
}

export async function readMark(client: Asked): Promise<RestoreMark | undefined> {
  const { rows: known } = await client.query<{ is: boolean }>(
    `select to_regclass('public.${markTable}') is not null as is`,
  );
  if (!known[0]!.is) return undefined;
  const { rows } = await client.query<RestoreMark>(`select data_dir, had from ${markTable}`);
  return rows[0];
}

export async function setMark(client: Asked, { data_dir, had }: RestoreMark): Promise<void> {
  await client.query(`create table ${markTable} as select $1::text as data_dir, $2::text[] as had`, [data_dir, had]);
}

export async function removeMark(client: Asked): Promise<void> {
  await client.query(`drop table if exists ${markTable}`);
}

/** Throws when a restore was interrupted: the tables may be there without their rows. */
export async function refuseHalfRestored(client: Asked): Promise<void> {
  if (await readMark(client))
    throw new Error('A restore into this database is running or was interrupted: run portico restore again');
}
