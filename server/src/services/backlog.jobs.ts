import type { App } from '#lib/app.ts';
import { gauge } from '#lib/metrics.ts';
import { countBacklogs, countDoubts, countOnline } from './backlog.queries.ts';
import { readInstallation } from './installation.queries.ts';

const everyMs = 30_000;

/** Metrics of the whole installation. Every process with jobs exports the same values; alerts use the largest. */
export const backlogJobs = [{ name: 'count backlogs', everyMs, run: measure }];

async function measure(app: App): Promise<void> {
  const items = gauge('portico_backlog', 'Items that are due to be sent', ['queue']);
  const age = gauge('portico_backlog_age_seconds', 'How long the oldest of them has been due', ['queue']);
  const online = gauge('portico_online_guests', 'Open sessions heard of within three interim intervals');
  for (const backlog of await app.db.withSystem(countBacklogs)) {
    items.set({ queue: backlog.queue }, backlog.items);
    age.set({ queue: backlog.queue }, backlog.age);
  }
  const doubts = gauge('portico_payments_in_doubt', 'Payments that a person must look at, by problem', ['problem']);
  for (const { problem, items: count } of await app.db.withSystem(countDoubts)) doubts.set({ problem }, count);
  online.set(await app.db.withSystem(countOnline));
  const { backed_up_at: at } = await app.db.withSystem(readInstallation);
  gauge('portico_backup_timestamp_seconds', 'When the last backup was made; 0: never').set(
    at === null ? 0 : Date.parse(at) / 1000,
  );
}
