import type { Tx } from '#db/tenant.ts';
import { tellLater } from '#db/webhook-event.ts';
import { deleteAnonymousResponses } from '#features/portals/public.ts';
import type { App } from '#lib/app.ts';
import { eraseIdle } from './retention.queries.ts';

const batch = 500;

/** Jobs of visitors. They are idempotent. */
export const visitorJobs = [
  {
    name: 'erase idle visitors',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      const { VISITOR_RETENTION_DAYS: days, LOG_RETENTION_DAYS: lawDays } = app.settings;
      const eraseSome = (tx: Tx) => tellLater(tx, () => eraseIdle(tx, { days, lawDays, limit: batch }));
      while ((await app.db.withSystem(eraseSome)) >= batch);
      while ((await app.db.withSystem(tx => deleteAnonymousResponses(tx, { days, limit: batch }))) >= batch);
    },
  },
];
