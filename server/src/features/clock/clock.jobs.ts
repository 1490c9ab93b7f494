import type { App } from '#lib/app.ts';
import { mendFuture } from './clock.queries.ts';
import { mayErase } from './clock.service.ts';

export const clockJobs = [
  { name: 'look at the clock', everyMs: 600_000, run: async (app: App) => void (await mayErase(app)) },
  {
    name: 'mend what was heard of in the future',
    everyMs: 15_000,
    run: async (app: App) => {
      const mended = await app.db.withSystem(mendFuture);
      if (mended > 0) app.log.warn({ mended }, 'devices or sessions were last heard of in the future');
    },
  },
];
