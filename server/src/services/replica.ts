import type { Logger } from 'pino';
import { createPool, type Pool } from '#db/pool.ts';
import { createReplica, type Replica } from '#db/replica.ts';
import { counter, gauge, histogram } from '#lib/metrics.ts';

/** At most one line in so many milliseconds says that the replica failed; the metric counts each read. */
const quietMs = 60_000;

/** The standby of DATABASE_READ_URL. Reads that it cannot answer are counted and answered by the primary. */
export function openReplica(url: string, primary: Pool, log: Logger): Replica {
  let saidAt = Number.NEGATIVE_INFINITY;
  const lost = (error: unknown) => {
    if (pool.ending || performance.now() - saidAt < quietMs) return;
    saidAt = performance.now();
    log.warn({ err: error }, 'the replica failed: the primary answers');
  };
  const waits = histogram('portico_replica_wait_seconds', 'Time that reads waited for the replica to catch up', []);
  const fallbacks = counter(
    'portico_replica_fallbacks_total',
    'Reads answered by the primary instead of the replica, by reason',
    ['reason'],
  );
  const pool = createPool(url, { max: primary.options.max, connectMs: 2000, onError: lost });
  gauge('portico_replica_connections', 'Connections to the replica', [], it => it.set(pool.totalCount));
  const replica = createReplica(primary, pool, {
    answered: seconds => waits.observe(seconds),
    fellBack: reason => fallbacks.inc({ reason }),
    lost,
  });
  // It delays no start, and after a failover a setting that is left over must not prevent one.
  void replica.check().then(why => {
    if (why === 'other') log.warn('DATABASE_READ_URL is no standby of DATABASE_URL: the primary answers');
  });
  return replica;
}
