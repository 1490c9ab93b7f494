import type pg from 'pg';
import { openClient } from './client.ts';

/** The table that a database has while a backup is restored into it. It stays when the restore is killed. */
export const markTable = 'restore_unfinished';

export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Works on a connection of its own. */
export async function onDatabase<T>(url: string, work: (client: Queryable) => Promise<T>): Promise<T> {
  const client = await openClient(url, 'restore');
  return work(client).finally(() => client.end());
}

/** The id of the restore that is running or was interrupted. Its DATA_DIR has the same. */
export async function readMark(client: Queryable): Promise<string | undefined> {
  const { rows: known } = await client.query<{ is: boolean }>(
    `select to_regclass('public.${markTable}') is not null as is`,
  );
  if (!known[0]!.is) return undefined;
  const { rows } = await client.query<{ id: string }>(`select id from ${markTable}`);
  return rows[0]?.id;
}

export async function setMark(client: Queryable, id: string): Promise<void> {
  await client.query(`create table ${markTable} as select $1::text as id`, [id]);
}

/** Within a transaction: from here to its end no other restore can read the mark. Throws if one has taken over. */
export async function endMark(client: Queryable, id: string): Promise<void> {
  if ((await readMark(client)) === id) {
    await client.query(`lock table ${markTable} in access exclusive mode`);
    if ((await readMark(client)) === id) return removeMark(client);
  }
  throw new Error('Another restore into this database has begun meanwhile');
}

export async function removeMark(client: Queryable): Promise<void> {
  await client.query(`drop table if exists ${markTable}`);
}

/** Throws when a restore was interrupted: the tables may be there without their rows. */
export async function refuseHalfRestored(client: Queryable): Promise<void> {
  if (await readMark(client))
    throw new Error('A restore into this database is running or was interrupted: run portico restore again');
}
