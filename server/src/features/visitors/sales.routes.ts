import type { salesApi } from '@portico/contract/sales.ts';
import { exportSales, listSales } from '#features/reports/public.ts';
import { listScope } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { reverseSale } from './reversal.service.ts';

export const salesRoutes: Handlers<typeof salesApi> = {
  list: async call => {
    const { actor, query, reply, read } = call;
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="sales.csv"');
      return exportSales(call, actor, query);
    }
    const scope = listScope(actor, query);
    return paged(call, await read(tx => listSales(tx, scope, query)));
  },
  reverse: async call => ({ data: await reverseSale(call, call.params.id, call.body) }),
};
