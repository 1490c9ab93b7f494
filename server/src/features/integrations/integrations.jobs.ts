import type { App } from '#lib/app.ts';
import { hotelLinkJobs } from './hotel/links.jobs.ts';
import { claimDue } from './integrations.queries.ts';
import { forgetClosed } from './payment/closed-accounts.queries.ts';
import { readHotel } from './pms/sync.ts';
import { deliveryReportJobs } from './sms/delivery-reports.jobs.ts';
import { webhookJobs } from './webhook/webhook.jobs.ts';

const everySeconds = 180;

/** Reads every hotel that is due. */
async function readAllDue(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => claimDue(tx, everySeconds));
  await Promise.all(due.map(it => readHotel(app, it)));
}

export const integrationJobs = [
  { name: 'read integrations', everyMs: 20_000, run: readAllDue },
  ...hotelLinkJobs,
  ...webhookJobs,
  ...deliveryReportJobs,
  {
    name: 'closed payment accounts',
    everyMs: 10 * 60_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(forgetClosed)),
  },
];
