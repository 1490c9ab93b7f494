import type { App } from '#lib/app.ts';
import { forgetFadedFailures } from './throttle.queries.ts';

export const throttleJobs = [
  {
    name: 'old failures',
    everyMs: 15 * 60_000,
    run: async (app: App) => {
      await app.db.withSystem(forgetFadedFailures);
    },
  },
];
