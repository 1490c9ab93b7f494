import type { App } from '#lib/app.ts';
import { forgetOldGuests } from './remembered.queries.ts';

/** The repeating work of the guests' side. It does no harm when done twice. */
export const guestJobs = [
  {
    name: 'old remembered guests',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      await app.db.withSystem(forgetOldGuests);
    },
  },
];
