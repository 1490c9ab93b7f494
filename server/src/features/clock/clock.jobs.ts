import type { App } from '#lib/app.ts';
import { correctFuture, followClock } from './clock.queries.ts';
import { mayErase } from './clock.service.ts';

export const clockJobs = [
  { name: 'look at the clock', everyMs: 600_000, run: async (app: App) => void (await mayErase(app)) },
  {
    name: 'correct timestamps in the future',
    everyMs: 15_000,
    run: async (app: App) => {
      const back = await app.db.withSystem(followClock);
      if (back > 0)
        app.log.error(
          { seconds: Math.round(back) },
          'the clock of the database was set back: run chrony or systemd-timesyncd there',
        );
      const corrected = await app.db.withSystem(correctFuture);
      if (corrected > 0)
        app.log.warn({ corrected }, 'corrected timestamps of devices or sessions that were in the future');
    },
  },
];
