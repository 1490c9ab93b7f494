import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { isUnavailable, sqlState } from './errors.ts';
import type { Pool } from './pool.ts';

/** Why the primary answers: the replica is lost or no copy, lags, had to cancel the query, or the work wrote. */
export type WhyPrimary = 'away' | 'other' | 'behind' | 'cancelled' | 'writes';

export interface Replica {
  readonly pool: Pool;
  /**
   * Runs `there` if the replica has every write that was committed before this call. Otherwise, or if `there` fails for a
   * reason of the replica, runs `here`.
   */
  readonly prefer: <T>(there: () => Promise<T>, here: () => Promise<T>) => Promise<T>;
  /** Why the replica cannot be used now; undefined if it can. */
  readonly check: () => Promise<WhyPrimary | undefined>;
}

interface ReplicaEvents {
  /** A read was answered by the replica after this number of seconds of waiting for it to catch up. */
  readonly answered: (waitedSeconds: number) => void;
  readonly fellBack: (why: WhyPrimary) => void;
  /** The replica could not be asked, or failed. */
  readonly lost: (error: unknown) => void;
}

/** How long a read waits for the replica. Measured lag: 3 ms as a rule, 28 ms at most. */
const waitMs = 200;
/** An answer that takes longer means that the replica is lost. */
const answerMs = 2000;
/** A read that waits for longer than this has the primary flush its log. */
const flushAfterMs = 40;
/** How long reads do not try a replica that lags, or that is lost. */
const rest = { behind: 1000, away: 5000 };

// Only flushed records reach a standby. A commit returns after its flush.
const committed = "select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as at";
const replayed = "select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as at";
/**
 * Commits a record. The flushed part of the log may end inside a record of a transaction that goes on. A standby replays
 * whole records only, and would wait for the rest until the next commit.
 */
const flush = "select pg_logical_emit_message(true, 'portico', '')";
const identity = 'select system_identifier || current_database() as id from pg_control_system()';

/** Whether an error of the replica lets the primary answer. A time-out does not: the same query would take as long there. */
function whyOf(error: unknown): WhyPrimary | undefined {
  const state = sqlState(error);
  if (state === '57014') return undefined;
  if (state === '25006') return 'writes';
  // "canceling statement due to conflict with recovery" and "terminating connection due to conflict with recovery"
  if (state?.startsWith('40')) return 'cancelled';
  return isUnavailable(error) ? 'away' : undefined;
}

export function createReplica(primary: Pool, pool: Pool, events: ReplicaEvents): Replica {
  let identified = false;
  let resting: { until: number; why: WhyPrimary } | undefined;

  const pause = (why: WhyPrimary): WhyPrimary => {
    resting = { why, until: performance.now() + (why === 'behind' ? rest.behind : rest.away) };
    if (why !== 'behind') identified = false;
    return why;
  };

  /** Asks over a connection of the replica, which is closed when the answer does not come. */
  async function ask<R>(text: string): Promise<R> {
    const client: PoolClient = await pool.connect();
    const patience = new AbortController();
    let broken: Error | undefined = new Error('The replica does not answer');
    try {
      const late = sleep(answerMs, undefined, { signal: patience.signal }).then(() => {
        throw broken;
      });
      late.catch(() => undefined);
      const answer = client.query(text);
      answer.catch(() => undefined);
      const { rows } = await Promise.race([answer, late]);
      broken = undefined;
      return rows[0] as R;
    } finally {
      patience.abort();
      client.release(broken);
    }
  }

  async function check(): Promise<WhyPrimary | undefined> {
    const started = performance.now();
    if (resting) {
      if (started < resting.until) return resting.why;
      // One read tries again; the others do not wait for it.
      resting.until = started + answerMs;
    }
    try {
      if (!identified) {
        const [own, its] = await Promise.all([primary.query<{ id: string }>(identity), ask<{ id: string }>(identity)]);
        if (own.rows[0]!.id !== its.id) return pause('other');
        identified = true;
      }
      const { rows } = await primary.query<{ at: number }>(committed);
      let flushed = false;
      for (let ms = 1; ; ms = Math.min(ms * 2, 32)) {
        const { at } = await ask<{ at: number | null }>(replayed);
        // A server that is no standby has replayed nothing.
        if (at === null) return pause('other');
        if (at >= rows[0]!.at) {
          resting = undefined;
          return undefined;
        }
        const waited = performance.now() - started;
        if (waited + ms > waitMs) return pause('behind');
        if (waited > flushAfterMs && !flushed) {
          await primary.query(flush);
          flushed = true;
        }
        await sleep(ms);
      }
    } catch (error) {
      events.lost(error);
      return pause('away');
    }
  }

  return {
    pool,
    check,
    async prefer(there, here) {
      const started = performance.now();
      const why = await check();
      if (why) {
        events.fellBack(why);
        return here();
      }
      const waited = (performance.now() - started) / 1000;
      try {
        const result = await there();
        events.answered(waited);
        return result;
      } catch (error) {
        const reason = whyOf(error);
        if (!reason) throw error;
        if (reason === 'away') pause(reason);
        events.lost(error);
        events.fellBack(reason);
        return here();
      }
    },
  };
}
