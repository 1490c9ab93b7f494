import type { sessionsApi } from '@portico/contract/sessions.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { historyPage, macPage } from './archive/history.ts';
import { listOnline } from './sessions.queries.ts';
import { endSession, exportHistory, failedLogins, historyFilter, viewerOf } from './sessions.service.ts';

export const sessionsRoutes: Handlers<typeof sessionsApi> = {
  online: async call => paged(call, await call.read(tx => listOnline(tx, viewerOf(call.actor), call.query))),
  kick: async ({ app, actor, params }) => ({ data: await endSession(app, actor, params.id) }),
  history: async call => {
    const { app, actor, read, query, request, reply, language } = call;
    const filter = await historyFilter(call, query);
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="session-reports.csv"');
      return exportHistory(app, actor, filter, language);
    }
    const on = { app, tenantId: actor.tenantId, read };
    return paged({ request, query: filter }, await historyPage(on, viewerOf(actor), filter));
  },
  byMac: async call =>
    paged(call, await macPage({ ...call, tenantId: call.actor.tenantId }, viewerOf(call.actor), call.query)),
  failedLogins: async call => paged(call, await failedLogins(call, call.actor, call.query)),
};
