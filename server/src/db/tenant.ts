import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { PoolClient, QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';
import { isUnavailable, sqlState } from './errors.ts';
import { type Field, JsonRows, objectsOf, type Remake, rowWriter, type Texts } from './json-rows.ts';
import type { Pool } from './pool.ts';
import { type Question, RoundTrip } from './round-trip.ts';

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
  /**
   * Plans once for all values what is asked next, before it waits. For a list of months' partitions, where planning takes
   * longer than the page, and which has one good plan whatever the values are.
   */
  keepPlans(): void;
}

/** Runs work inside one tenant. What the work throws rolls back and is thrown on. */
export type WithTenant = <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
/** Runs work across tenants; only the files listed in scripts/boundaries.mjs may call it. */
export type WithSystem = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface Database {
  readonly pool: Pool;
  readonly withTenant: WithTenant;
  /**
   * As withTenant, for reading: what `work` asks at once takes a single round trip with the begin and the commit, and what it
   * asks after it waited takes another, a transaction of its own.
   */
  readonly readTenant: WithTenant;
  readonly withSystem: WithSystem;
  /** Whether the database answers and takes writes; `full` while its disk was found full in the last half minute. */
  readonly state: () => Promise<DatabaseState>;
}

export type DatabaseState = 'ok' | 'away' | 'read-only' | 'full';

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

/** How a transaction's queries reach the database: with the rows as objects, or as texts. */
interface Ask {
  /** `command` ends with how many rows it returned or touched. */
  objects<R extends QueryResultRow>(query: Sql): Promise<{ rows: R[]; command: string }>;
  texts(query: Sql): Promise<{ fields: readonly Field[]; rows: Texts[] }>;
  keepPlans(): void;
}

const asked = Symbol('as it is asked');
type Asked = Sql & { [asked]?: Question };
/** As it is asked; a query that is kept to be asked again needs its text and name made once. */
function questionOf(query: Asked): Question {
  const known = query[asked];
  if (known) return known;
  const { text, values } = query;
  const made = { name: nameOf(text), text, values };
  query[asked] = made;
  return made;
}

const oneByOne = (client: PoolClient): Ask => ({
  objects: async <R extends QueryResultRow>(q: Sql) => {
    const { rows, rowCount } = await client.query<R>({ ...questionOf(q), values: q.values });
    return { rows, command: `${rowCount ?? 0}` };
  },
  texts: q => client.query({ ...questionOf(q), values: q.values, ...asTexts } as never) as never,
  // Were it to fail, so would all that comes after it.
  keepPlans: () => void client.query('set local plan_cache_mode = force_generic_plan').catch(() => undefined),
});

/** Sends what is asked at once in one round trip, and what is asked later in another. */
const inTrips = (tripFor: (query?: Sql) => RoundTrip, keepPlans: () => void): Ask => ({
  objects: async q => {
    const { fields, rows, command } = await tripFor(q).ask(questionOf(q));
    return { rows: objectsOf(fields, rows), command };
  },
  texts: q => tripFor(q).ask(questionOf(q)),
  keepPlans,
});

function handle(ask: Ask): Tx {
  return {
    json: async (q, remakes) => {
      const { fields, rows } = await ask.texts(q);
      return new JsonRows(rowWriter(fields, remakes)(rows), rows.length);
    },
    many: async <R extends QueryResultRow>(q: Sql) => (await ask.objects<R>(q)).rows,
    maybe: async <R extends QueryResultRow>(q: Sql) => (await ask.objects<R>(q)).rows[0],
    one: async <R extends QueryResultRow>(q: Sql) => {
      const { rows } = await ask.objects<R>(q);
      if (!rows[0]) throw new Error(`Expected a row: ${q.text.slice(0, 120)}`);
      return rows[0];
    },
    run: async q => Number(/\d+$/.exec((await ask.objects(q)).command)?.[0] ?? 0),
    keepPlans: ask.keepPlans,
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
  let begun: Promise<unknown> | undefined;
  try {
    const [sent, done] = together(client, () => [client.query(begin), start(() => work(handle(oneByOne(client))))]);
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

// A round trip is a transaction by itself, so that what is set for it is gone with it.
const set = "select set_config('role', 'portico_app', true), set_config('portico.tenant', $1, true)";
interface Beginnings {
  readonly anyPlans: Question;
  readonly keptPlans: Question;
}
const beginnings = new Map<string, Beginnings>();
function beginningsOf(tenantId: string): Beginnings {
  const known = beginnings.get(tenantId);
  if (known) return known;
  const values = [requireId(tenantId)];
  const made = {
    anyPlans: { name: 'as-tenant', text: set, values },
    keptPlans: {
      name: 'as-tenant-kept',
      text: `${set}, set_config('plan_cache_mode', 'force_generic_plan', true)`,
      values,
    },
  };
  if (beginnings.size >= 10_000) beginnings.clear();
  beginnings.set(tenantId, made);
  return made;
}

async function roundTrips<T>(pool: Pool, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = beginningsOf(tenantId);
  const client = await pool.connect();
  const trips: RoundTrip[] = [];
  let next: RoundTrip | undefined;
  let over = false;
  const leave = () => {
    const trip = next;
    next = undefined;
    client.query(trip as never);
  };
  const tripFor = (query?: Sql): RoundTrip => {
    // Its connection may be another's by now.
    if (over) throw new Error(`Asked after the end: ${query?.text.slice(0, 120)}`);
    if (next) return next;
    next = new RoundTrip(begin.anyPlans);
    trips.push(next);
    queueMicrotask(leave);
    return next;
  };
  let result: { readonly value: T } | undefined;
  let thrown: unknown;
  try {
    result = { value: await work(handle(inTrips(tripFor, () => tripFor().begin(begin.keptPlans)))) };
  } catch (error) {
    thrown = error;
  }
  over = true;
  let failed: Error | undefined;
  for (const { done } of trips) {
    const said = await done;
    failed ??= said;
  }
  // After a refusal the connection is as it was; after anything else nobody should use it.
  client.release(failed && sqlState(failed) && !isUnavailable(failed) ? undefined : failed);
  if (!result) throw thrown;
  if (failed) throw failed;
  return result.value;
}

function requireId(tenantId: string): string {
  if (!uuid.test(tenantId)) throw new Error('A tenant id is a UUID');
  return tenantId;
}

/** What begins a transaction that sees one tenant's rows only. */
export function beginTenant(tenantId: string): string {
  return `begin; set local role portico_app; set local portico.tenant = '${requireId(tenantId)}'`;
}

const diskFull = '53100';
const fullForMs = 30_000;
const readOnly = "select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as ro";

/** The ways into the database. There is no other: a bare pool query would see what its login sees. */
export function createDatabase(pool: Pool): Database {
  let fullAt = Number.NEGATIVE_INFINITY;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (sqlState(error) === diskFull) fullAt = performance.now();
      throw error;
    }
  };
  return {
    pool,
    withTenant: async (tenantId, work) => watched(transaction(pool, beginTenant(tenantId), work)),
    readTenant: (tenantId, work) => roundTrips(pool, tenantId, work),
    withSystem: work => watched(transaction(pool, 'begin; set local role portico_system', work)),
    state: async () => {
      if (performance.now() - fullAt < fullForMs) return 'full';
      return pool.query<{ ro: boolean }>(readOnly).then(
        ({ rows }) => (rows[0]!.ro ? 'read-only' : 'ok'),
        () => 'away',
      );
    },
  };
}
