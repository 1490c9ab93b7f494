import type { radiusProxiesApi } from '@portico/contract/radius-proxies.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listProxies } from './radius-proxies.queries.ts';
import * as service from './radius-proxies.service.ts';

export const radiusProxiesRoutes: Handlers<typeof radiusProxiesApi> = {
  list: async call => paged(call, await call.read(tx => listProxies(tx, call.query))),
  create: async call => ({ data: await service.createProxy(call, call.body) }),
  update: async call => ({ data: await service.updateProxy(call, call.params.id, call.body) }),
  renewSecret: async call => ({ data: await service.renewSecret(call, call.params.id) }),
  issueCertificate: async call => ({ data: await service.issueCertificate(call, call.params.id, call.body.days) }),
  revokeCertificate: async call => ({ data: await service.revokeCertificate(call, call.params.id) }),
  delete: call => service.deleteProxy(call, call.params.id),
};
