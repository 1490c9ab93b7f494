import type { SmsConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { claimChecks, type DueCheck, markDelivered, markUndelivered } from '#sms/delivery-reports.queries.ts';
import { problemOf } from '../problems.ts';
import { deliveryReport } from './send.ts';

async function check(app: App, it: DueCheck): Promise<void> {
  const stored = app.secrets.read(it.connection);
  // Sending the next message reports that the connection must be entered again.
  if (stored === undefined) return;
  const connection = JSON.parse(stored) as SmsConnection;
  // If the report is unavailable now, it is requested again later. The message itself was accepted.
  const report = await deliveryReport(app, connection, it.gateway_id).catch(() => 'waiting' as const);
  if (report === 'waiting') return;
  await app.db.withTenant(it.tenant_id, async tx => {
    if (report === 'delivered') return markDelivered(tx, it.id);
    const { code, message } = problemOf(report);
    return markUndelivered(tx, it.id, { code, message });
  });
}

/** Asks the gateways whether messages were delivered. */
export async function checkDeliveries(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => claimChecks(tx, 20));
  await Promise.all(due.map(it => check(app, it)));
}

export const deliveryReportJobs = [{ name: 'sms delivery', everyMs: 5000, run: checkDeliveries }];
