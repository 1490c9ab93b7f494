import pg from 'pg';

// Rows leave the database in the shape they have on the wire, so that no layer has to map them.
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.NUMERIC, Number);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, text => text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z'));
pg.types.setTypeParser(builtins.MACADDR, text => text.toUpperCase());

export type Pool = pg.Pool;

/** A pool of pipelined connections; `max` is a number of connections. Errors of idle ones go to `onError`, as an unheard one would end the process. */
export function createPool(url: string, options: { max: number; onError: (error: Error) => void }): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    pipeline: true,
    options: '-c timezone=UTC',
    application_name: 'portico',
    connectionTimeoutMillis: 5000,
  } as pg.PoolConfig);
  pool.on('error', options.onError);
  return pool;
}

/** The SQLSTATE of a database error, wherever it is wrapped; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True when the database could not be reached or is going away: the caller may try again later. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return (
    /^(ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code ?? '') ||
    /connection (terminated|timeout)|timeout exceeded when trying to connect/i.test(message ?? '')
  );
}
