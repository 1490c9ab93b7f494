import type { ssoApi } from '@portico/contract/sso.ts';
import { deleteSso, getSso, saveSso } from '#features/tenants/public.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listLinks } from './sso.queries.ts';
import { beginSso, finishSso, unlink } from './sso.service.ts';

export const ssoRoutes: Handlers<typeof ssoApi> = {
  begin: async call => ({ data: await beginSso(call) }),
  finish: async call => ({ data: await finishSso(call, call.body.query) }),
  get: async call => ({ data: await call.inTenant(tx => getSso(tx, call)) }),
  save: async call => ({ data: await saveSso(call, call.actor, call.body) }),
  delete: call => deleteSso(call, call.actor),
  links: async call => paged(call, await call.inTenant(tx => listLinks(tx, call.query))),
  unlink: ({ inTenant, actor, params }) => inTenant(tx => unlink(tx, actor, params.id)),
};
