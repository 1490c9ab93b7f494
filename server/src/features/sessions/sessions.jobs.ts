import type { App } from '#lib/app.ts';
import { sendWaitingKicks } from './sessions.service.ts';
import { closeStale, ensurePartitions, forgetExpired } from './sign-in.queries.ts';

/** The repeating work of the sessions. Each does no harm when done twice. */
export const sessionJobs = [
  { name: 'close stale sessions', everyMs: 30_000, run: closeAllStale },
  { name: 'send kicks', everyMs: 3000, run: sendWaitingKicks },
  { name: 'forget expired tickets', everyMs: 300_000, run: (app: App) => app.db.withSystem(forgetExpired) },
  {
    name: 'make partitions',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      await app.db.withSystem(ensurePartitions);
    },
  },
];

async function closeAllStale(app: App): Promise<void> {
  // After a long silence there may be more than one transaction should hold.
  while ((await app.db.withSystem(closeStale)) >= 500);
}
