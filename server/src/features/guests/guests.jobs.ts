import { forgetResponseAddresses } from '#features/portals/public.ts';
import { forgetErased } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { forgetUnnamed } from './arrival/anonymous-device.queries.ts';
import { forgetOldGuests } from './arrival/remembered.queries.ts';
import { forgetOldCodes } from './sign-in/methods/sms-codes.queries.ts';
import { forgetLedAway } from './surveys/redirects.queries.ts';

/** The repeating work of the guests' side. It does no harm when done twice. */
export const guestJobs = [
  {
    name: 'old remembered guests',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(async tx => {
        await forgetOldGuests(tx);
        await forgetLedAway(tx);
        await forgetUnnamed(tx);
        await forgetOldCodes(tx);
        await forgetResponseAddresses(tx);
        await forgetErased(tx, app.settings.LOG_RETENTION_DAYS);
      });
    },
  },
];
