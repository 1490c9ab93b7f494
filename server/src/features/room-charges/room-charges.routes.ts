import type { roomChargesApi } from '@portico/contract/room-charges.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { findHotel, listCharges } from './room-charges.queries.ts';
import { settle, shown } from './room-charges.service.ts';

export const roomChargesRoutes: Handlers<typeof roomChargesApi> = {
  list: async call => {
    const { rows, total } = await call.inTenant(async tx => {
      found(await findHotel(tx, call.actor.reach, call.params.id));
      return listCharges(tx, call.params.id, call.query);
    });
    return paged(call, { rows: rows.map(row => shown(call, row)), total });
  },
  settle: async call => ({ data: await settle(call, call.params, call.body.outcome) }),
};
