import type { App } from '#lib/app.ts';
import { correctFuture } from './clock.queries.ts';
import { mayErase } from './clock.service.ts';

export const clockJobs = [
  { name: 'look at the clock', everyMs: 600_000, run: async (app: App) => void (await mayErase(app)) },
  {
    name: 'correct timestamps in the future',
    everyMs: 15_000,
    run: async (app: App) => {
      const corrected = await app.db.withSystem(correctFuture);
      if (corrected > 0)
        app.log.warn({ corrected }, 'corrected timestamps of devices or sessions that were in the future');
    },
  },
];
