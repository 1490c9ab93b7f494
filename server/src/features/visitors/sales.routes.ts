import type { salesApi } from '@portico/contract/sales.ts';
import { listSales } from '#features/reports/public.ts';
import { listScope } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { reverseSale } from './reversal.service.ts';

export const salesRoutes: Handlers<typeof salesApi> = {
  list: async call => {
    const scope = listScope(call.actor, call.query);
    return paged(call, await call.read(tx => listSales(tx, scope, call.query)));
  },
  reverse: async call => ({ data: await reverseSale(call, call.params.id, call.body) }),
};
