import type { App } from '#lib/app.ts';
import { forgetOld } from './unknown-devices.queries.ts';
import { tellUnknown } from './unknown-devices.service.ts';

export const unknownDeviceJobs = [
  { name: 'tell unknown devices', everyMs: 60_000, run: tellUnknown },
  {
    name: 'forget unknown devices',
    everyMs: 15 * 60_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(forgetOld);
    },
  },
];
