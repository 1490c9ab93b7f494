import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openClient } from './client.ts';
import { sqlState } from './errors.ts';
import type { Pool } from './pool.ts';

/** The connections cannot be used. The message is one line for the operator. */
export class UnfitConnections extends Error {}

const heardWithinMs = 3000;
const facts = `select current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding,
  pg_is_in_recovery() as standby`;
const unknownStatement = '26000';

/**
 * Throws unless a NOTIFY over the pool is heard at `direct`, the database is in UTF8, and sessions of the pool are in UTC. If
 * `direct` is another address than that of the pool, also throws unless prepared statements and the time zone survive a change of
 * the server's connection.
 */
export async function requireSessions(pool: Pool, direct: string): Promise<void> {
  const url = pool.options.connectionString!;
  const { rows } = await pool.query<{ zone: string; encoding: string; standby: boolean }>(facts);
  const { zone, encoding, standby } = rows[0]!;
  if (standby) throw new UnfitConnections('DATABASE_URL must be the primary server: this one is a standby');
  if (encoding !== 'UTF8')
    throw new UnfitConnections(
      `DATABASE_URL must be a database in UTF8, this one is in ${encoding}: create database portico owner portico encoding 'UTF8' locale 'C.UTF-8' template template0`,
    );
  requireUtc(zone);
  if (!(await hears(pool, direct)))
    throw new UnfitConnections(
      direct === url
        ? 'DATABASE_DIRECT_URL must be set to PostgreSQL itself: DATABASE_URL delivers no NOTIFY, like PgBouncer in transaction mode'
        : 'DATABASE_DIRECT_URL must be the database of DATABASE_URL without a pooler: a NOTIFY between them is not heard',
    );
  if (direct !== url) await surviveOtherConnection(pool, url);
}

function requireUtc(zone: string): void {
  if (!/^(Etc\/)?UTC$/.test(zone))
    throw new UnfitConnections(
      `DATABASE_URL must keep the time zone of a session: it is ${zone}. Use PgBouncer 1.21 or later, or alter role … set timezone = 'UTC'`,
    );
}

async function hears(pool: Pool, direct: string): Promise<boolean> {
  const listener = await openClient(direct, 'start');
  try {
    const id = randomUUID();
    const heard = new Promise<boolean>(resolve => {
      listener.on('notification', ({ payload }) => payload === id && resolve(true));
    });
    await listener.query('listen portico_start');
    await pool.query("select pg_notify('portico_start', $1)", [id]);
    const patience = new AbortController();
    try {
      return await Promise.race([heard, sleep(heardWithinMs, false, { signal: patience.signal })]);
    } finally {
      patience.abort();
    }
  } finally {
    await listener.end().catch(() => undefined);
  }
}

/** Holds the server's connection that the pool used last, so that a pooler must take another one. */
async function surviveOtherConnection(pool: Pool, url: string): Promise<void> {
  const client = await pool.connect();
  const other = new pg.Client({ connectionString: url, application_name: 'portico start' });
  other.on('error', () => undefined);
  const ask = () => client.query<{ zone: string }>({ name: 'portico start', text: facts });
  let failure: unknown;
  try {
    await other.connect();
    await ask();
    await other.query('begin; select 1');
    const again = ask();
    // A pooler with a single connection answers only after the other transaction.
    await Promise.race([again.catch(() => undefined), sleep(500)]);
    await other.query('rollback');
    requireUtc((await again).rows[0]!.zone);
  } catch (error) {
    failure = error;
    if (sqlState(error) !== unknownStatement) throw error;
    throw new UnfitConnections(
      'DATABASE_URL must keep prepared statements: use PgBouncer 1.21 or later with max_prepared_statements = 600',
    );
  } finally {
    client.release(failure !== undefined);
    await other.end().catch(() => undefined);
  }
}
