import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Sql } from 'sql-template-tag';
import { createStreamLimit } from '#lib/stream-limit.ts';
import type { Pool } from './pool.ts';
import { beginTenant, type Database } from './tenant.ts';

/** COPY takes no parameters, so the values are inserted into its text as escaped literals. */
function inline({ strings, values }: Sql): string {
  return strings.map((text, i) => (i < values.length ? text + literal(values[i]) : text)).join('');
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(it => JSON.stringify(it)).join(',')}}`);
  throw new Error(`COPY takes texts, numbers and lists of texts, not ${typeof value}`);
}

/** The tenant of the rows, and the time zone in which a `timestamptz` becomes a `timestamp`. */
export interface Inside {
  readonly tenantId: string;
  readonly timeZone: string;
}

const atOnce = 5;
/** Fewer than all, so that a tenant whose files are not read leaves places to the others. */
const atOnceOfTenant = 3;
const takePlace = createStreamLimit();
/** After this time without reading, the reader is considered gone, although its connection is open. */
const stallMs = 60_000;

/** Ends a copy that is not read any more. A slow database is not the reader's fault. */
function watchReader(rows: Readable, socket: Socket, everyMs: number): NodeJS.Timeout {
  let seen = -1;
  return setInterval(() => {
    if (socket.bytesRead === seen && rows.readableLength > 0) rows.destroy();
    seen = socket.bytesRead;
  }, everyMs);
}

/**
 * Streams the rows of a query of one tenant as CSV. Slow reading slows PostgreSQL down; closing the stream ends the copy.
 * It may take ten minutes. Rejects as "too many connections" when five run already, or three of the tenant. It runs on the replica if there is one;
 * what fails there before its first piece is done by the primary.
 */
export async function copyCsv(db: Database, inside: Inside, query: Sql, everyMs = stallMs): Promise<Readable> {
  const from = (pool: Pool) => copyFrom(pool, inside, query, everyMs);
  const { replica } = db;
  if (!replica) return from(db.pool);
  return replica.prefer(
    async () => {
      const rows = await from(replica.pool);
      await once(rows, 'readable');
      return rows;
    },
    () => from(db.pool),
  );
}

async function copyFrom(pool: Pool, inside: Inside, query: Sql, everyMs: number): Promise<Readable> {
  const release = takePlace({ all: atOnce, [inside.tenantId]: atOnceOfTenant });
  if (!release) throw Object.assign(new Error('Too many exports at once'), { code: '53300' });
  // Uses a separate connection, because pipelined ones do not support COPY.
  const { connectionString, application_name } = pool.options;
  const socket = new Socket();
  const client = new pg.Client({ connectionString, application_name, stream: () => socket });
  const end = async () => {
    release();
    await client.end().catch(() => undefined);
  };
  // Errors during the copy reach the reader through the stream.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(beginTenant(inside.tenantId));
    await client.query(
      `set local statement_timeout = '10min'; set local timezone = ${pg.escapeLiteral(inside.timeZone)}`,
    );
  } catch (error) {
    await end();
    throw error;
  }
  const rows = client.query(copyTo(`copy (${inline(query)}) to stdout (format csv)`));
  const watch = watchReader(rows, socket, everyMs);
  // A reader that goes away cuts the connection. That error needs no report.
  return rows
    .on('error', () => undefined)
    .once('close', () => {
      clearInterval(watch);
      void end();
    });
}
