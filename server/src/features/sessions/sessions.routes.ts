import type { sessionsApi } from '@portico/contract/sessions.ts';
import { type Handlers, inOneTrip } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listByMac, listHistory, listOnline } from './sessions.queries.ts';
import { exportHistory, failedLogins, historyFilter, kickSession, viewerOf } from './sessions.service.ts';

export const sessionsRoutes: Handlers<typeof sessionsApi> = {
  online: inOneTrip(async call => paged(call, await call.read(tx => listOnline(tx, viewerOf(call.actor), call.query)))),
  kick: async ({ app, actor, params }) => ({ data: await kickSession(app, actor, params.id) }),
  history: inOneTrip(
    async call => {
      const { app, actor, read, query, request, reply, language } = call;
      if (query.download) {
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="session-reports.csv"');
        // Sent as it is: what the contract describes is the page.
        return (await exportHistory(app, actor, historyFilter(actor, query), language)) as never;
      }
      const at = historyFilter(actor, query);
      return paged({ request, query: at }, await read(tx => listHistory(tx, viewerOf(actor), at)));
    },
    // An export is written down, for which its caller must be known.
    query => !query.download,
  ),
  byMac: inOneTrip(async call => paged(call, await call.read(tx => listByMac(tx, viewerOf(call.actor), call.query)))),
  failedLogins: inOneTrip(async call => paged(call, await failedLogins(call, call.actor, call.query))),
};
