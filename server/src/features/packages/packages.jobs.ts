import { IntegrationError } from '#features/integrations/public.ts';
import type { App } from '#lib/app.ts';
import * as queries from './purchases.queries.ts';
import { finishRefund } from './refund.service.ts';
import { settle } from './settle.service.ts';

const atOnce = 50;

/**
 * Asks the providers about purchases that are not paid, being refunded, or paid not long ago: notifications get lost, and
 * money may go back without us.
 */
async function reconcile(app: App): Promise<void> {
  await app.db.withSystem(queries.failOld);
  const due = await app.db.withSystem(tx => queries.claimDue(tx, atOnce));
  await Promise.all(
    due.map(async ({ tenant_id: tenantId, id: purchaseId }) => {
      try {
        await finishRefund(app, { tenantId, purchaseId });
        await settle(app, { tenantId, purchaseId });
      } catch (error) {
        app.log.warn({ err: error, purchase: purchaseId }, 'the payment provider was not asked');
        // A provider that is away, or an account that does not work, must not take all turns of the job.
        if (error instanceof IntegrationError)
          await app.db.withTenant(tenantId, tx => queries.scheduleCheck(tx, purchaseId));
      }
    }),
  );
}

export const packageJobs = [
  { name: 'reconcile purchases', everyMs: 30_000, run: reconcile },
  {
    name: 'forget unpaid purchases',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(queries.forgetUnpaid);
    },
  },
];
