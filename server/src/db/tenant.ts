import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { PoolClient, QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';
import { type Field, JsonRows, type Remake, rowWriter, type Texts } from './json-rows.ts';
import type { Pool } from './pool.ts';

/** A transaction that sees one tenant's rows only (or, from withSystem, all). */
export interface Tx {
  /** Every row. */
  many<R extends QueryResultRow>(query: Sql): Promise<R[]>;
  /** Every row as JSON, columns named `a.b` in an object `a`; for lists, which are passed on as they are. */
  json<R>(query: Sql, remakes?: Readonly<Record<string, Remake>>): Promise<JsonRows<R>>;
  /** The first row, if any. */
  maybe<R extends QueryResultRow>(query: Sql): Promise<R | undefined>;
  /** The first row; its absence is a programming error. */
  one<R extends QueryResultRow>(query: Sql): Promise<R>;
  /** Runs a command; answers how many rows it touched. */
  run(query: Sql): Promise<number>;
}

/** Runs work inside one tenant. What the work throws rolls back and is thrown on. */
export type WithTenant = <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
/** Runs work across tenants; only the files listed in scripts/boundaries.mjs may call it. */
export type WithSystem = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface Database {
  readonly pool: Pool;
  readonly withTenant: WithTenant;
  /**
   * As withTenant, in a single round trip, for reading: the commit goes out with the queries, so `work` sends all of them
   * before it first waits. One that comes later rejects.
   */
  readonly readTenant: WithTenant;
  readonly withSystem: WithSystem;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// A statement gets a name of its text, so that the server parses and plans it once per connection.
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size > 500) return undefined;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

const asText = (text: string) => text;
const asTexts = { rowMode: 'array', types: { getTypeParser: () => asText } };

function handle(client: PoolClient, mayAsk: () => boolean = () => true): Tx {
  const query = async <R extends QueryResultRow>(q: Sql, how = {}) => {
    // After the commit it would run as the owner, who sees everything.
    if (!mayAsk()) throw new Error(`Sent after the round trip began: ${q.text.slice(0, 120)}`);
    return client.query<R>({ name: nameOf(q.text), text: q.text, values: q.values, ...how } as { text: string });
  };
  return {
    json: async (q, remakes) => {
      const { fields, rows } = (await query(q, asTexts)) as unknown as { fields: Field[]; rows: Texts[] };
      return new JsonRows(rowWriter(fields, remakes)(rows), rows.length);
    },
    many: async <R extends QueryResultRow>(q: Sql) => (await query<R>(q)).rows,
    maybe: async <R extends QueryResultRow>(q: Sql) => (await query<R>(q)).rows[0],
    one: async <R extends QueryResultRow>(q: Sql) => {
      const { rows } = await query<R>(q);
      if (!rows[0]) throw new Error(`Expected a row: ${q.text.slice(0, 120)}`);
      return rows[0];
    },
    run: async q => (await query(q)).rowCount ?? 0,
  };
}

/** The connection is pipelined, so queries need not wait for one another: what `send` sends at once leaves in one write. */
function together<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Begins at once; what it throws becomes a rejection. */
const start = async <T>(work: () => Promise<T>): Promise<T> => work();

async function transaction<T>(pool: Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const [begun, done] = together(client, () => [client.query(begin), start(() => work(handle(client)))]);
    begun.catch(() => undefined);
    const result = await done;
    await begun;
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(e => {
      broken = e as Error;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function roundTrip<T>(pool: Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let asking = true;
  const sent = together(client, () => {
    const begun = client.query(begin);
    const done = start(() => work(handle(client, () => asking)));
    asking = false;
    return [done, begun, client.query('commit')] as const;
  });
  const [done, begun, ended] = await Promise.allSettled(sent);
  // A commit after a failed query rolls back; one that fails itself leaves a connection that nobody should use.
  client.release(ended.status === 'rejected' ? (ended.reason as Error) : undefined);
  for (const each of [begun, done, ended]) if (each.status === 'rejected') throw each.reason;
  return (done as PromiseFulfilledResult<T>).value;
}

/** What begins a transaction that sees one tenant's rows only. */
export function beginTenant(tenantId: string): string {
  if (!uuid.test(tenantId)) throw new Error('A tenant id is a UUID');
  return `begin; set local role portico_app; set local portico.tenant = '${tenantId}'`;
}

/** The ways into the database. There is no other: a bare pool query would see what its login sees. */
export function createDatabase(pool: Pool): Database {
  return {
    pool,
    withTenant: async (tenantId, work) => transaction(pool, beginTenant(tenantId), work),
    readTenant: async (tenantId, work) => roundTrip(pool, beginTenant(tenantId), work),
    withSystem: work => transaction(pool, 'begin; set local role portico_system', work),
  };
}
