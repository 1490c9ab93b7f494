import type { App } from '#lib/app.ts';
import { forgetOldTokens } from './auth.queries.ts';
import { forgetOldConfirmations } from './confirmations.queries.ts';
import { forgetOldChallenges } from './passkey-challenges.queries.ts';
import { forgetOldCodes } from './reset.queries.ts';
import { forgetOldAttempts } from './sso/sso.queries.ts';

export const authJobs = [
  {
    name: 'old sign-ins',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      await app.db.withSystem(async tx => {
        await forgetOldTokens(tx);
        await forgetOldConfirmations(tx);
        await forgetOldCodes(tx);
        await forgetOldChallenges(tx);
        await forgetOldAttempts(tx);
      });
    },
  },
];
