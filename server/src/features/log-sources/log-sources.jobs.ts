import { quarantineDays } from '@portico/contract/log-sources.ts';
import type { App } from '#lib/app.ts';
import { forgetOld } from './log-sources.queries.ts';

export const logSourceJobs = [
  {
    name: 'forget old log sources',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(tx => forgetOld(tx, { quarantineDays, retentionDays: app.settings.LOG_RETENTION_DAYS }));
    },
  },
];
