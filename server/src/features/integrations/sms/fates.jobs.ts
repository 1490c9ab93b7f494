import type { SmsConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { claimChecks, type DueCheck, markDelivered, markUndelivered } from '#sms/fates.queries.ts';
import { problemOf } from '../problems.ts';
import { fateOf } from './send.ts';

async function check(app: App, it: DueCheck): Promise<void> {
  const stored = app.secrets.read(it.connection);
  // Whoever sends by it next is told that it must be entered again.
  if (stored === undefined) return;
  const connection = JSON.parse(stored) as SmsConnection;
  // A report that cannot be had now is asked for again; the message itself was taken.
  const fate = await fateOf(app, connection, it.gateway_id).catch(() => 'waiting' as const);
  if (fate === 'waiting') return;
  await app.db.withTenant(it.tenant_id, async tx => {
    if (fate === 'delivered') return markDelivered(tx, it.id);
    const { code, message } = problemOf(fate);
    return markUndelivered(tx, it.id, { code, message });
  });
}

/** Asks the gateways what became of messages. */
export async function checkFates(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => claimChecks(tx, 20));
  await Promise.all(due.map(it => check(app, it)));
}

export const smsFateJobs = [{ name: 'sms delivery', everyMs: 5000, run: checkFates }];
