import type { App } from '#lib/app.ts';
import { forgetOld } from './unknown-devices.queries.ts';

export const unknownDeviceJobs = [
  {
    name: 'forget unknown devices',
    everyMs: 15 * 60_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(forgetOld);
    },
  },
];
