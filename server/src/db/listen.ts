import { randomInt } from 'node:crypto';
import pg from 'pg';
import { silence } from './pool.ts';

/** A change of data of one topic. `location` null: the whole tenant. */
export interface Change {
  readonly tenant: string;
  readonly location: string | null;
  readonly topic: string;
  /** The device that changed, with the topic `devices`, if the change may matter to RADIUS. */
  readonly nas_identifier?: string;
}

export interface Changes {
  /** Calls `listener` for every change from now on; returns a function that ends this. */
  subscribe(listener: (change: Change) => void): () => void;
  /** Calls `listener` whenever it begins to listen: what was said before, or while the connection was lost, was not heard. */
  onListening(listener: () => void): () => void;
  /** Calls `listener` when the server no longer answers though the connection is open: the way to it is cut, or it has no power. */
  onSilence(listener: () => void): void;
  /** The number by which others know that this process is alive; null while its connection is lost. See decision 218. */
  readonly process: number | null;
  close(): Promise<void>;
}

/**
 * Listens on the channel `portico` over a separate connection, and reconnects after an outage. It asks the server every few
 * seconds whether it is still there. A connection that is cut silently would seem open for many minutes. It counts turns and
 * not the time, which also passes while this process is stopped.
 */
export function listenToChanges(
  url: string,
  onError: (error: Error) => void,
  { askEveryMs = 3000, silentTurns = 5 } = {},
): Changes {
  const silenceListeners: (() => void)[] = [];
  const listeners = new Set<(change: Change) => void>();
  const beginnings = new Set<() => void>();
  let client: pg.Client | undefined;
  let closed = false;
  let process: number | null = null;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...{ connectionString: url, application_name: 'portico changes', connectionTimeoutMillis: 5000 },
    });
    client = next;
    let failed = false;
    let unanswered = 0;
    let watch: NodeJS.Timeout | undefined;
    const ask = (): void => {
      if (unanswered === silentTurns) {
        // Before the pool, so that the error of this connection is logged first.
        next.connection.stream.destroy(silence());
        for (const heard of silenceListeners) heard();
      } else if (unanswered++ === 0) {
        next.query('select 1').then(
          () => {
            unanswered = 0;
          },
          () => undefined,
        );
      }
    };
    const again = (error: Error) => {
      clearInterval(watch);
      if (failed || closed) return;
      process = null;
      failed = true;
      onError(error);
      next.end().catch(() => undefined);
      retry = setTimeout(() => void connect(), 1000);
    };
    next.on('error', again);
    next.on('end', () => again(new Error('The connection that listens for changes ended')));
    next.on('notification', ({ payload }) => {
      if (!payload) return;
      const changes = [JSON.parse(payload) as Change | Change[]].flat();
      for (const change of changes) for (const listener of listeners) listener(change);
    });
    await next
      .connect()
      .then(() => {
        watch = setInterval(ask, askEveryMs);
        return next.query('listen portico');
      })
      .then(async () => {
        // A number for each connection: the server may not have noticed yet that the one before was lost.
        const number = randomInt(1, 2 ** 31);
        await next.query(`select pg_advisory_lock(hashtext('portico process'), ${number})`);
        if (!failed && !closed) process = number;
        for (const begun of beginnings) begun();
      })
      .catch(again);
  }

  void connect();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onListening(listener) {
      beginnings.add(listener);
      return () => beginnings.delete(listener);
    },
    onSilence: listener => void silenceListeners.push(listener),
    get process() {
      return process;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
