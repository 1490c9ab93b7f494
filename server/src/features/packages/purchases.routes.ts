import type { purchasesApi } from '@portico/contract/purchases.ts';
import { listScope } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listPurchases, totalPurchases } from './purchases.queries.ts';
import { exportPurchases } from './purchases-file.ts';
import { checkPurchase, refundPurchase } from './refund.service.ts';

export const purchasesRoutes: Handlers<typeof purchasesApi> = {
  list: async call => {
    const { actor, query, reply, read } = call;
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="purchases.csv"');
      return exportPurchases(call, actor, query);
    }
    const scope = listScope(actor, query);
    return paged(call, await read(tx => listPurchases(tx, scope, query)));
  },
  totals: async ({ actor, query, read }) => {
    const scope = listScope(actor, query);
    return { data: await read(tx => totalPurchases(tx, scope, query)) };
  },
  check: async call => ({ data: await checkPurchase(call, call.params.id) }),
  refund: async call => ({ data: await refundPurchase(call, call.params.id, call.body) }),
};
