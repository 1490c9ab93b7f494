import type { App } from '#lib/app.ts';
import { ClickhouseRefused } from '#lib/clickhouse.ts';
import { counter, gauge } from '#lib/metrics.ts';
import { arrived, countWaiting, type Waiting, waitingAfter } from './outbox.queries.ts';

/**
 * Sends what waits, the oldest first. What did arrive while its answer did not is known by its id and not counted again. What is
 * refused stays for somebody to look at, and does not hold up what comes after; when nobody answers, the next round is soon enough.
 */
export async function sendWaiting(app: App, send: (waiting: Waiting) => Promise<void>): Promise<void> {
  await tellWaiting(app);
  await sendAll(app, send);
  await tellWaiting(app);
}

async function tellWaiting(app: App): Promise<void> {
  gauge('portico_log_outbox', 'Batches of counts of log lines that wait for ClickHouse').set(
    await app.db.withSystem(countWaiting),
  );
}

async function sendAll(app: App, send: (waiting: Waiting) => Promise<void>): Promise<void> {
  for (let last: string | undefined; ; ) {
    const waiting = await app.db.withSystem(tx => waitingAfter(tx, last));
    if (waiting.length === 0) return;
    for (const one of waiting) {
      try {
        await send(one);
      } catch (error) {
        counter('portico_log_errors_total', 'What went wrong with log lines, by place', ['where']).inc({
          where: 'clickhouse',
        });
        app.log.error({ err: error, batch: one.id }, 'counts of log lines did not reach ClickHouse');
        if (!(error instanceof ClickhouseRefused)) return;
        last = one.id;
        continue;
      }
      await app.db.withSystem(tx => arrived(tx, one.id));
    }
  }
}
