import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { listBusyTenants } from '#mail/outbox.queries.ts';
import { checkDomainsAgain } from './domains.service.ts';

const noticeAt = [80, 100];

/** Notifies the administrators of tenants whose mails of a day come to an end, at 80 % and 100 %, once a day. */
async function watchMails(app: App): Promise<void> {
  const limit = app.settings.MAILS_PER_DAY;
  const today = new Date().toISOString().slice(0, 10);
  const least = Math.ceil((limit * noticeAt[0]!) / 100);
  await eachApart(app, await app.db.withSystem(tx => listBusyTenants(tx, least)), ({ tenant_id, mails }) =>
    app.db.withTenant(tenant_id, async tx => {
      for (const percent of noticeAt.filter(it => mails * 100 >= limit * it)) {
        const [data, once] = [{ percent, used: mails, limit }, `mail_limit:${percent}:${today}`];
        await tellWebhooks(tx, null, 'mail.limit', data, once);
        await notify(tx, { kind: 'mail_limit', to: { tenant: 'admins' }, data, once });
      }
    }),
  );
}

export const tenantJobs = [
  { name: 'mail limits', everyMs: 60_000, run: watchMails },
  { name: 'domains', everyMs: 60_000, run: checkDomainsAgain },
];
