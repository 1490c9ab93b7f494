import type { sessionsApi } from '@portico/contract/sessions.ts';
import { actorIn } from '#features/locations/public.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { historyPage, macPage } from './archive/history.ts';
import { endSelected } from './end-selected.service.ts';
import { listOnline } from './sessions.queries.ts';
import { endSession, exportHistory, failedLogins, historyFilter, viewerOf } from './sessions.service.ts';

export const sessionsRoutes: Handlers<typeof sessionsApi> = {
  online: async call =>
    paged(
      call,
      await call.read(async tx => listOnline(tx, viewerOf(await actorIn(tx, call.actor, call.query)), call.query)),
    ),
  kick: async ({ app, actor, params }) => ({ data: await endSession(app, actor, params.id) }),
  endSelected: async ({ app, actor, body }) => ({ data: await endSelected(app, actor, body.ids) }),
  history: async call => {
    const { app, read, query, request, reply, language } = call;
    const actor = await read(tx => actorIn(tx, call.actor, query));
    const filter = await historyFilter({ read, actor }, query);
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="session-reports.csv"');
      return exportHistory(app, actor, filter, language);
    }
    const on = { app, tenantId: actor.tenantId, read };
    return paged({ request, query: filter }, await historyPage(on, viewerOf(actor), filter));
  },
  byMac: async call => {
    const actor = await call.read(tx => actorIn(tx, call.actor, call.query));
    return paged(call, await macPage({ ...call, tenantId: actor.tenantId }, viewerOf(actor), call.query));
  },
  failedLogins: async call => {
    const actor = await call.read(tx => actorIn(tx, call.actor, call.query));
    return paged(call, await failedLogins(call, actor, call.query));
  },
};
