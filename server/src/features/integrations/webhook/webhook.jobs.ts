import type { App } from '#lib/app.ts';
import { noteFailed, noteWorked } from '../health.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { claimDue, type DueDelivery, forgetOldDeliveries, markDelivered, markRefused } from './deliveries.queries.ts';
import { isTaken, post, type Webhook } from './send.ts';

// Growing pauses over about a day, then the delivery has failed. It can still be sent again by hand.
const pauses = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const leaseSeconds = 60;
/** A first failed attempt is not notified. */
const failingAfter = 3;

async function deliver(app: App, it: DueDelivery): Promise<void> {
  const which = { id: it.integration_id, name: it.name, location_id: it.location_id };
  const send = async () => post(app, JSON.parse(app.secrets.decrypt(it.connection)) as Webhook, it);
  const status = await send().catch(problemOf);
  const taken = typeof status === 'number' && isTaken(status);
  await app.db.withTenant(it.tenant_id, async tx => {
    if (taken) {
      await markDelivered(tx, it.id, status);
      return noteWorked(tx, which);
    }
    const problem = typeof status === 'number' ? new IntegrationError('refused', `HTTP ${status}`) : status;
    // 410 Gone: the receiver wants no further attempts.
    const pause = status === 410 ? null : (pauses[it.attempts - 1] ?? null);
    const { code, message } = problem;
    await markRefused(tx, it.id, { status: typeof status === 'number' ? status : null, code, message, pause });
    if (it.attempts >= failingAfter || pause === null) await noteFailed(tx, which, problem);
  });
}

/** Sends due deliveries. */
export async function sendDeliveries(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => claimDue(tx, leaseSeconds));
  await Promise.all(due.map(it => deliver(app, it)));
}

export const webhookJobs = [
  { name: 'webhooks', everyMs: 1000, run: sendDeliveries },
  {
    name: 'old webhook deliveries',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(forgetOldDeliveries)),
  },
];
