import pg from 'pg';

// Members of node-postgres that its types leave out.
declare module 'pg' {
  interface ClientBase {
    readonly connection: pg.Connection;
  }
}

// Rows leave the database in the shape they have on the wire, so that no layer has to map them.
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.NUMERIC, Number);
// `2026-11-20 20:13:22.5+00`; years before 1 end in ` BC`.
pg.types.setTypeParser(builtins.TIMESTAMPTZ, text =>
  text[10] === ' ' && text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
    : text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z'),
);
pg.types.setTypeParser(builtins.MACADDR, text => text.toUpperCase());

export type Pool = pg.Pool;

const open = new WeakMap<Pool, ReadonlySet<pg.PoolClient>>();

/** The server has not answered for some seconds. The code is what the system would say after many minutes. */
export const silence = (): Error => Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' });

/** Gives up every connection of a server that does not answer; their queries reject. Else they would wait for many minutes. */
export function giveUpConnections(pool: Pool): void {
  for (const client of open.get(pool) ?? []) client.connection.stream.destroy(silence());
}

/**
 * A pool of at most `max` pipelined connections. `onError` hears of every lost connection, idle or in use: without a
 * listener Node.js would end the process. The queries of a lost connection reject, and the pool does not use it again.
 */
export function createPool(
  url: string,
  options: { max: number; onError: (error: Error) => void; connectMs?: number },
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    pipeline: true,
    application_name: 'portico',
    connectionTimeoutMillis: options.connectMs ?? 5000,
  });
  const clients = new Set<pg.PoolClient>();
  open.set(pool, clients);
  pool.on('remove', client => clients.delete(client));
  pool.on('connect', client => {
    clients.add(client);
    client.on('error', options.onError);
    // A query, not a startup parameter, which PgBouncer refuses or drops. If it fails, so does the connection.
    client.query("set timezone = 'UTC'").catch(() => undefined);
  });
  // The pool repeats the errors of idle connections, which the listener above has heard already.
  pool.on('error', () => undefined);
  return pool;
}
