import sql from 'sql-template-tag';
import { createBatcher } from '#radius/batcher.ts';
import { bisectOnError } from './batches.ts';
import { isUnavailable, sqlState, TooManyWaiting } from './errors.ts';
import type { Database, Tx } from './tenant.ts';

interface Pending<Q, R> {
  readonly question: Q;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Further calls get at once the error that the database is away. */
const maxWaiting = 1000;

/**
 * Asks the questions that arrive together in one query, so that a rush costs few queries. `ask` returns the answers in the order of
 * the questions. If the database rejects a batch, it is asked again in halves, so that one bad question fails alone.
 */
export function gather<Q, R>(ask: (batch: readonly Q[]) => Promise<readonly R[]>): (question: Q) => Promise<R> {
  const answerAll = async (batch: readonly Pending<Q, R>[]): Promise<undefined[]> => {
    const answers = await ask(batch.map(it => it.question));
    // At once, because another part of the batch may fail.
    return batch.map((it, i) => void it.resolve(answers[i]!));
  };
  const run = async (batch: readonly Pending<Q, R>[]): Promise<void> => {
    await bisectOnError(batch, answerAll, (it, error) => void it.reject(error)).catch((error: unknown) => {
      for (const it of batch) it.reject(error);
    });
  };
  const { add } = createBatcher<Pending<Q, R>>({ size: 50, waitMs: 2, inFlight: 2, capacity: maxWaiting, run });
  return question =>
    new Promise((resolve, reject) => {
      if (!add({ question, resolve, reject })) reject(new TooManyWaiting());
    });
}

/** As `gather`, with batches of one tenant each. */
export function gatherByTenant<Q, R>(
  ask: (tenantId: string, batch: readonly Q[]) => Promise<readonly R[]>,
): (tenantId: string, question: Q) => Promise<R> {
  const tenants = new Map<string, (question: Q) => Promise<R>>();
  return (tenantId, question) => {
    const known = tenants.get(tenantId) ?? gather<Q, R>(batch => ask(tenantId, batch));
    tenants.set(tenantId, known);
    return known(question);
  };
}

/** Work that waits longer for a lock continues alone, so that the others need not wait for it. */
const longestLock = sql`set local lock_timeout = '200ms'`;

/**
 * Errors that units of work cause each other: a deadlock (class 40), or a lock that one of them did not get. Alone each may
 * succeed.
 */
const isOfSharing = (error: unknown) => /^(40|55P03)/.test(sqlState(error) ?? '');

/**
 * As `db.withTenant`, where works that begin together share one transaction and its commit. Their queries interleave. If one
 * of them fails or waits for a lock, all are rolled back. Each is then done again in a transaction of its own, unless the
 * database is away.
 */
export function gatherWorks(db: Pick<Database, 'withTenant'>): <T>(tenantId: string, work: Work<T>) => Promise<T> {
  const doAll = gatherByTenant(async (tenantId, works: readonly Work<unknown>[]): Promise<readonly Shared[]> => {
    try {
      return await db.withTenant(tenantId, async tx => {
        // In the message of the first queries. If it fails, so do they.
        void tx.run(longestLock).catch(() => undefined);
        // All have ended before the transaction does, so that none runs on after it.
        const done = await Promise.allSettled(works.map(async work => work(tx)));
        const failed = done.find(it => it.status === 'rejected');
        if (failed) throw failed.reason;
        return done;
      });
    } catch (reason) {
      if (isOfSharing(reason)) return works.map(() => 'alone');
      if (isUnavailable(reason)) throw reason;
      return works.length === 1 ? [{ status: 'rejected', reason }] : works.map(() => 'alone');
    }
  });
  return async <T>(tenantId: string, work: Work<T>) => {
    const result = await doAll(tenantId, work);
    // Not within the batch, where the next one would wait for it.
    if (result === 'alone') return db.withTenant(tenantId, work);
    if (result.status === 'rejected') throw result.reason;
    return result.value as T;
  };
}

type Shared = PromiseSettledResult<unknown> | 'alone';
type Work<T> = (tx: Tx) => Promise<T>;
