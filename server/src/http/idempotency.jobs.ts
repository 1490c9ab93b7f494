import type { App } from '#lib/app.ts';
import { deleteOldReplies } from './idempotency.queries.ts';

export const idempotencyJobs = [
  {
    name: 'delete old idempotent replies',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(deleteOldReplies);
    },
  },
];
