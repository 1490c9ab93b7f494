import type { vouchersApi } from '@portico/contract/vouchers.ts';
import { orMisspelled } from '#db/misspelled.ts';
import { listScope } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listBatches } from './vouchers.queries.ts';
import * as service from './vouchers.service.ts';

export const vouchersRoutes: Handlers<typeof vouchersApi> = {
  list: async call => {
    const scope = listScope(call.actor, call.query);
    return paged(
      call,
      await call.read(tx =>
        orMisspelled('voucher_batches', scope, call.query, like => listBatches(tx, scope, call.query, like)),
      ),
    );
  },
  create: async call => ({ data: await service.createBatch(call, call.body) }),
  get: async call => ({ data: await service.getBatch(call, call.params.id) }),
  update: async call => ({ data: await service.updateBatch(call, call.params.id, call.body) }),
  vouchers: async call => paged(call, await service.listVouchers(call, call.params.id, call.query)),
  cards: call => service.printCards(call, call.params.id, call.body.voucher_ids ?? null),
  issue: async call => ({ data: await service.issueVouchers(call, call.params.id, call.body.count) }),
  revoke: async call => ({ data: await service.revokeVouchers(call, call.params.id, call.body.voucher_ids ?? null) }),
  extend: async call => ({ data: await service.extendBatch(call, call.params.id, call.body.days) }),
  desk: async call => ({ data: await service.showDesk(call, call.query.location_id) }),
  card: async call => ({ data: await service.getCardSettings(call, call.params.id) }),
  setCard: async call => ({ data: await service.setCardSettings(call, call.params.id, call.body) }),
};
