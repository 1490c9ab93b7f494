import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { claimDue, failOld, scheduleCheck } from './licence-payments.queries.ts';
import { finishRefund } from './licence-payments.service.ts';
import { settleLicence } from './licence-settle.service.ts';
import { listEnding } from './licences.queries.ts';
import { notifyOfEnding } from './licences.service.ts';

export async function notifyOfEndings(app: App): Promise<void> {
  await eachApart(app, await app.db.withSystem(listEnding), it =>
    app.db.withTenant(it.tenant_id, tx => notifyOfEnding(tx, app, it)),
  );
}

const atOnce = 50;

/** Asks the providers about payments that are not made, being refunded, or made not long ago: notifications get lost. */
export async function reconcileLicences(app: App): Promise<void> {
  await app.db.withSystem(failOld);
  const due = await app.db.withSystem(tx => claimDue(tx, atOnce));
  await Promise.all(
    due.map(async ({ tenant_id: tenantId, id: paymentId }) => {
      try {
        await finishRefund(app, { tenantId, paymentId });
        await settleLicence(app, { tenantId, paymentId });
      } catch (error) {
        app.log.warn({ err: error, payment: paymentId }, 'the payment provider was not asked');
        await app.db.withTenant(tenantId, tx => scheduleCheck(tx, paymentId));
      }
    }),
  );
}

export const licenceJobs = [
  { name: 'licences that end', everyMs: 3_600_000, run: notifyOfEndings },
  { name: 'reconcile payments of licences', everyMs: 30_000, run: reconcileLicences },
];
