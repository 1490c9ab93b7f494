import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import {
  claimDue,
  type DueDelivery,
  deleteOldDeliveries,
  markDelivered,
  markRefused,
  tellExpiredVisitors,
} from './deliveries.queries.ts';
import { isAccepted, post, type Webhook } from './send.ts';

// Growing pauses over about a day. After the last one the delivery has failed, but can be sent again by hand.
const pauses = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const leaseSeconds = 60;
/** The number of failed attempts after which users are notified. */
const failingAfter = 3;
const deliveries = counter('portico_webhooks_total', 'Attempts to deliver webhooks, by outcome', ['outcome']);

async function deliver(app: App, it: DueDelivery): Promise<void> {
  const integration = { id: it.integration_id, name: it.name, location_id: it.location_id };
  const send = async () => post(app, JSON.parse(app.secrets.decrypt(it.connection)) as Webhook, it);
  const status = await send().catch(problemOf);
  const accepted = typeof status === 'number' && isAccepted(status);
  // 410 Gone: the receiver wants no further attempts.
  const pause = status === 410 ? null : (pauses[it.attempts - 1] ?? null);
  await app.db.withTenant(it.tenant_id, async tx => {
    if (accepted) {
      await markDelivered(tx, it.id, status);
      return reportRecovery(tx, integration);
    }
    const problem = typeof status === 'number' ? new IntegrationError('refused', `HTTP ${status}`) : status;
    const { code, message } = problem;
    await markRefused(tx, it.id, { status: typeof status === 'number' ? status : null, code, message, pause });
    if (it.attempts >= failingAfter || pause === null) await reportFailure(tx, integration, problem);
  });
  deliveries.inc({ outcome: accepted ? 'sent' : pause === null ? 'failed' : 'postponed' });
}

/** Sends due deliveries. */
export async function sendDeliveries(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => claimDue(tx, leaseSeconds));
  await Promise.all(due.map(it => deliver(app, it)));
}

export const webhookJobs = [
  { name: 'webhooks', everyMs: 1000, run: sendDeliveries },
  {
    name: 'expired visitors',
    everyMs: 60_000,
    run: async (app: App) => void (await app.db.withSystem(tellExpiredVisitors)),
  },
  {
    name: 'old webhook deliveries',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(deleteOldDeliveries)),
  },
];
