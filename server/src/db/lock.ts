import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';

/**
 * Runs work in one process at a time, among all that use this database. `client` is the connection that holds the lock, so the
 * pool must reach PostgreSQL without a pooler. The others ask again and again instead of waiting: an index that is built
 * concurrently waits for all running statements, so it would wait for theirs.
 */
export async function exclusively<T>(pool: Pool, name: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const tryLock = () => client.query('select pg_try_advisory_lock(hashtext($1)) as got', [name]);
    while (!(await tryLock()).rows[0].got) await sleep(200);
    return await work(client);
  } finally {
    // A connection that cannot unlock is closed, which releases the lock as well.
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]).catch(error => {
      broken = error as Error;
    });
    client.release(broken);
  }
}

/** As `exclusively`, for work on other connections. An open transaction holds the lock, so a pooler may stand between. */
export async function inTurn<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [name]);
    return await work();
  } finally {
    await client.query('rollback').catch(error => {
      broken = error as Error;
    });
    client.release(broken);
  }
}
