import type { App } from '#lib/app.ts';
import { ClickhouseRefused } from '#lib/clickhouse.ts';
import { counter, gauge } from '#lib/metrics.ts';
import { countOutbox, deleteFromOutbox, listOutboxAfter, type OutboxBatch } from './outbox.queries.ts';

/**
 * Sends the batches of the outbox, the oldest first. ClickHouse recognises a batch by its id, so a batch whose reply was lost is
 * not counted twice. A refused batch stays in the outbox and does not block the next ones. Without a reply, the next run sends
 * it again.
 */
export async function sendOutbox(app: App, send: (batch: OutboxBatch) => Promise<void>): Promise<void> {
  await updateGauge(app);
  await sendAll(app, send);
  await updateGauge(app);
}

async function updateGauge(app: App): Promise<void> {
  gauge('portico_log_outbox', 'Batches of log counts that wait for ClickHouse').set(
    await app.db.withSystem(countOutbox),
  );
}

async function sendAll(app: App, send: (batch: OutboxBatch) => Promise<void>): Promise<void> {
  for (let last: string | undefined; ; ) {
    const waiting = await app.db.withSystem(tx => listOutboxAfter(tx, last));
    if (waiting.length === 0) return;
    for (const one of waiting) {
      try {
        await send(one);
      } catch (error) {
        counter('portico_log_errors_total', 'Errors of the log service, by place', ['where']).inc({
          where: 'clickhouse',
        });
        app.log.error({ err: error, batch: one.id }, 'log counts could not be sent to ClickHouse');
        if (!(error instanceof ClickhouseRefused)) return;
        last = one.id;
        continue;
      }
      await app.db.withSystem(tx => deleteFromOutbox(tx, one.id));
    }
  }
}
