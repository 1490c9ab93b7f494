import { forgetOldProofs } from '#features/consents/public.ts';
import { deleteResponseAddresses, forgetAdGuests } from '#features/portals/public.ts';
import { forgetErased } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { forgetOldAnonymousDevices } from './arrival/anonymous-device.queries.ts';
import { forgetOldGuests } from './arrival/remembered.queries.ts';
import { forgetOldCodes } from './sign-in/methods/sms-codes.queries.ts';
import { forgetOldRedirects } from './surveys/redirects.queries.ts';

/** The guest portal's jobs; running them twice does no harm. */
export const guestJobs = [
  {
    name: 'old remembered guests',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(async tx => {
        await forgetOldGuests(tx);
        await forgetOldRedirects(tx);
        await forgetOldAnonymousDevices(tx);
        await forgetOldCodes(tx);
        await deleteResponseAddresses(tx);
        await forgetAdGuests(tx);
        await forgetOldProofs(tx);
        await forgetErased(tx, app.settings.LOG_RETENTION_DAYS);
      });
    },
  },
];
