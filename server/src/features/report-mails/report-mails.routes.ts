import type { reportMailsApi } from '@portico/contract/report-mails.ts';
import { actorIn } from '#features/locations/public.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listReportMails } from './report-mails.queries.ts';
import { createReportMail, deleteReportMail, updateReportMail } from './report-mails.service.ts';

export const reportMailsRoutes: Handlers<typeof reportMailsApi> = {
  list: async call =>
    paged(
      call,
      await call.read(async tx => listReportMails(tx, (await actorIn(tx, call.actor, call.query)).scope, call.query)),
    ),
  create: async ({ actor, body, inTenant }) => ({ data: await inTenant(tx => createReportMail(tx, actor, body)) }),
  update: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => updateReportMail(tx, actor, params.id, body)),
  }),
  delete: ({ actor, params, inTenant }) => inTenant(tx => deleteReportMail(tx, actor, params.id)),
};
