import type { printersApi } from '@portico/contract/printers.ts';
import type { Handlers } from '#http/call.ts';
import * as service from './printers.service.ts';

export const printersRoutes: Handlers<typeof printersApi> = {
  list: async call => ({ data: await service.listAt(call, call.params.id) }),
  create: async call => ({ data: await service.addPrinter(call, call.params.id, call.body) }),
  update: async call => ({ data: await service.changePrinter(call, call.params.id, call.body) }),
  delete: call => service.removePrinter(call, call.params.id),
  print: async call => ({ data: await service.printVouchers(call, call.params.id, call.body) }),
};
