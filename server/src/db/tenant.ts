import { createHash } from 'node:crypto';
import pg, { type PoolClient, type QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';
import { isId } from '#lib/ids.ts';
import { sqlState } from './errors.ts';
import type { Pool } from './pool.ts';
import { ReadBatch } from './read-batch.ts';
import type { Replica } from './replica.ts';

/** A transaction that sees one tenant's rows only (or, from withSystem and systemTrip, all). */
export interface Tx {
  /** Every row. */
  many<R extends QueryResultRow>(query: Sql): Promise<R[]>;
  /** Every row, where columns named `a.b` make an object `a`; it is null when its first column is. */
  nested<R>(query: Sql): Promise<R[]>;
  /** The first row, if any. */
  maybe<R extends QueryResultRow>(query: Sql): Promise<R | undefined>;
  /** The first row; its absence is a programming error. */
  one<R extends QueryResultRow>(query: Sql): Promise<R>;
  /** Runs a command; returns the number of affected rows. */
  run(query: Sql): Promise<number>;
  /**
   * Uses generic plans for the queries that follow in the same tick. For queries that take about as long to plan as to run,
   * and have one good plan for all values.
   */
  useGenericPlans(): void;
}

/** Runs work inside one tenant. If it throws, the transaction is rolled back and the error is thrown again. */
export type WithTenant = <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
/** Runs work across tenants; only the files listed in scripts/boundaries.mjs may call it. */
export type WithSystem = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface Database {
  readonly pool: Pool;
  readonly withTenant: WithTenant;
  /**
   * Like withTenant, for reading. The queries that `work` makes in the same tick share one round trip and one
   * transaction. Those it makes after waiting have another.
   */
  readonly readTenant: WithTenant;
  /** Like readTenant, on the replica if there is one that has every write until now. The work may run twice. */
  readonly readReplica: WithTenant;
  /** The standby of DATABASE_READ_URL. */
  readonly replica?: Replica | undefined;
  readonly withSystem: WithSystem;
  /**
   * Like withSystem, for work that settles within ten seconds. The queries that `work` makes in the same tick share one
   * transaction, and travel with its commit in one round trip. Queries that it makes after waiting use another transaction.
   * So what `work` asked before its first `await` is committed also if `work` throws later.
   */
  readonly systemTrip: WithSystem;
  /** Whether the database answers and accepts writes; `full` for half a minute after its disk was full. */
  readonly state: () => Promise<DatabaseState>;
}

export type DatabaseState = 'ok' | 'away' | 'read-only' | 'full';

const maxNames = 500;
const names = new Map<string, string>();
/** A statement is named after its text, so that each connection parses and plans it once. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= maxNames) return undefined;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

const configOf = ({ text, values }: Sql): pg.QueryConfig => {
  const name = nameOf(text);
  return { text, values, ...(name !== undefined && { name }) };
};

/** How a transaction's queries reach the database. */
interface Connection {
  objects<R extends QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>>;
  arrays(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>>;
  useGenericPlans(): void;
}

const direct = (client: PoolClient): Connection => ({
  objects: config => client.query(config),
  arrays: config => client.query(config),
  // If it fails, so do the queries behind it.
  useGenericPlans: () => void client.query('set local plan_cache_mode = force_generic_plan').catch(() => undefined),
});

function handle(connection: Connection): Tx {
  const ask = <R extends QueryResultRow>(query: Sql) => connection.objects<R>(configOf(query));
  return {
    many: async <R extends QueryResultRow>(query: Sql) => (await ask<R>(query)).rows,
    nested: async <R>(query: Sql) => {
      const { fields, rows } = await connection.arrays({ ...configOf(query), rowMode: 'array' });
      return nest<R>(fields, rows);
    },
    maybe: async <R extends QueryResultRow>(query: Sql) => (await ask<R>(query)).rows[0],
    one: async <R extends QueryResultRow>(query: Sql) => {
      const { rows } = await ask<R>(query);
      if (!rows[0]) throw new Error(`Expected a row: ${query.text.slice(0, 120)}`);
      return rows[0];
    },
    run: async query => (await ask(query)).rowCount ?? 0,
    useGenericPlans: connection.useGenericPlans,
  };
}

/** Rows as objects; the columns `a.b`, `a.c` of one object follow one another. */
function nest<R>(fields: readonly { name: string }[], rows: readonly unknown[][]): R[] {
  const columns = fields.map(({ name }, i) => {
    const [outer, inner] = name.split('.', 2) as [string, string?];
    return { outer, inner, opens: !fields[i - 1]?.name.startsWith(`${outer}.`) };
  });
  return rows.map(values => {
    const row: Record<string, unknown> = {};
    let part: Record<string, unknown> | null = null;
    for (let i = 0; i < columns.length; i++) {
      const { outer, inner, opens } = columns[i]!;
      const value = values[i];
      if (inner === undefined) row[outer] = value;
      else if (opens) row[outer] = part = value === null ? null : { [inner]: value };
      else if (part) part[inner] = value;
    }
    return row as R;
  });
}

/** Sends what `send` writes to a pipelined connection in one piece. */
function together<T>(client: PoolClient, send: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Calls `work` at once and turns what it throws into a rejection. */
const start = async <T>(work: () => Promise<T>): Promise<T> => work();

async function transaction<T>(pool: Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let begun: Promise<unknown> | undefined;
  try {
    const [sent, done] = together(client, () => [client.query(begin), start(() => work(handle(direct(client))))]);
    begun = sent;
    begun.catch(() => undefined);
    const result = await done;
    await begun;
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((e: Error) => {
      broken = e;
    });
    // After a failed begin the work fails too, but only with "current transaction is aborted".
    await begun;
    throw error;
  } finally {
    client.release(broken);
  }
}

// Local to the batch's transaction: the connection is as it was afterwards.
const asTenant = `select set_config('role', 'portico_app', true), set_config('portico.tenant', $1, true),
  set_config('statement_timeout', $2, true)`;
const genericPlans = "set_config('plan_cache_mode', 'force_generic_plan', true)";

/** The statement that begins a transaction of one round trip, also with generic plans. */
interface Beginning {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

const systemBeginning: Beginning = {
  name: 'as system',
  text: "select set_config('role', 'portico_system', true), set_config('statement_timeout', '10s', true)",
  values: [],
};

const read = <T>(pool: Pool, tenantId: string, work: (tx: Tx) => Promise<T>, timeoutMs: number): Promise<T> =>
  roundTrips(
    pool,
    () => ({ name: 'as tenant', text: asTenant, values: [requireId(tenantId), String(timeoutMs)] }),
    work,
  );

async function roundTrips<T>(pool: Pool, beginning: () => Beginning, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { name, text, values } = beginning();
  const client = await pool.connect();
  const answers: Promise<unknown>[] = [];
  let batch: { queries: pg.Query[]; genericPlans: boolean } | undefined;
  let over = false;

  const send = () => {
    const { queries, genericPlans: generic } = batch!;
    batch = undefined;
    const sent = new ReadBatch();
    sent.add(
      generic
        ? new pg.Query(
            { name: `${name}, generic plans`, text: `${text}, ${genericPlans}`, values: [...values] },
            () => undefined,
          )
        : new pg.Query({ name, text, values: [...values] }, () => undefined),
    );
    for (const query of queries) sent.add(query);
    client.query(sent);
  };
  const current = () => {
    // The connection may be in use by another caller.
    if (over) throw new Error('A query was made after the end of its transaction');
    if (!batch) {
      batch = { queries: [], genericPlans: false };
      queueMicrotask(send);
    }
    return batch;
  };
  const ask = <R extends QueryResultRow>(config: pg.QueryConfig) => {
    const { queries } = current();
    const answer = new Promise<pg.QueryResult<R>>((resolve, reject) => {
      // A simple query would end the batch: it has a Sync of its own.
      const extended = { ...config, queryMode: 'extended' as const };
      queries.push(new pg.Query<R>(extended, (error, result) => (error ? reject(error) : resolve(result))));
    });
    answers.push(answer);
    return answer;
  };
  const connection: Connection = {
    objects: async config => ask(config),
    arrays: async config => ask(config) as Promise<pg.QueryArrayResult<unknown[]>>,
    useGenericPlans: () => {
      current().genericPlans = true;
    },
  };
  try {
    return await work(handle(connection));
  } finally {
    over = true;
    const failed = (await Promise.allSettled(answers)).find(it => it.status === 'rejected');
    client.release(failed !== undefined);
  }
}

export function requireId(tenantId: string): string {
  if (!isId(tenantId)) throw new Error('A tenant id is a UUID');
  return tenantId;
}

/** The statements that begin a transaction that sees one tenant's rows only. */
export function beginTenant(tenantId: string): string {
  return `begin; set local role portico_app; set local portico.tenant = '${requireId(tenantId)}'`;
}

const diskFull = '53100';
const fullForMs = 30_000;
const readOnly = "select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as ro";

/** All access to the database goes through these functions, because a plain pool query runs with the rights of the login. */
export function createDatabase(
  pool: Pool,
  { readTimeoutMs = 15_000, replica }: { readTimeoutMs?: number; replica?: Replica | undefined } = {},
): Database {
  let fullAt = Number.NEGATIVE_INFINITY;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (sqlState(error) === diskFull) fullAt = performance.now();
      throw error;
    }
  };
  const readTenant: WithTenant = (tenantId, work) => read(pool, tenantId, work, readTimeoutMs);
  return {
    pool,
    replica,
    withTenant: async (tenantId, work) => watched(transaction(pool, beginTenant(tenantId), work)),
    readTenant,
    readReplica: replica
      ? (tenantId, work) =>
          replica.prefer(
            () => read(replica.pool, tenantId, work, readTimeoutMs),
            () => readTenant(tenantId, work),
          )
      : readTenant,
    withSystem: work => watched(transaction(pool, 'begin; set local role portico_system', work)),
    systemTrip: work => watched(roundTrips(pool, () => systemBeginning, work)),
    state: async () => {
      if (performance.now() - fullAt < fullForMs) return 'full';
      return pool.query<{ ro: boolean }>(readOnly).then(
        ({ rows }) => (rows[0]!.ro ? 'read-only' : 'ok'),
        () => 'away',
      );
    },
  };
}
