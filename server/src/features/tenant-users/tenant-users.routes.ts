import type { tenantUsersApi } from '@portico/contract/tenants.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listTenantUsers } from './tenant-users.queries.ts';
import { createTenantUser, deleteTenantUser, updateTenantUser } from './tenant-users.service.ts';

export const tenantUsersRoutes: Handlers<typeof tenantUsersApi> = {
  list: async call => paged(call, await call.inTenant(tx => listTenantUsers(tx, call.query))),
  create: async call => ({ data: await createTenantUser(call, call.actor, call.body) }),
  update: async call => ({ data: await updateTenantUser(call, call.actor, call.params.id, call.body) }),
  delete: call => deleteTenantUser(call, call.actor, call.params.id),
};
