import type { locationRolesApi, tenantRolesApi } from '@portico/contract/roles.ts';
import type { Handlers } from '#http/call.ts';
import { whole } from '#http/page.ts';
import { listRoles } from './roles.queries.ts';
import { createRole, deleteRole, describeRole, type Place, resetRole, updateRole } from './roles.service.ts';

type Call = Parameters<Handlers<typeof locationRolesApi>['offered']>[0];

async function listed(call: Pick<Call, 'inTenant' | 'language' | 'query' | 'request'>, at: Place) {
  const rows = await call.inTenant(tx => listRoles(tx, at));
  return whole(
    call,
    rows.map(row => describeRole(row, at, call.language)),
  );
}

export const locationRolesRoutes: Handlers<typeof locationRolesApi> = {
  offered: call => listed(call, call.actor.activeLocationId),
  list: call => listed(call, call.params.id),
  create: async ({ actor, params: { id }, body, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => createRole(tx, actor, id, body)), id, language),
  }),
  update: async ({ actor, params: { id, roleId }, body, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => updateRole(tx, actor, id, roleId, body)), id, language),
  }),
  reset: async ({ actor, params: { id, roleId }, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => resetRole(tx, actor, id, roleId)), id, language),
  }),
  delete: ({ actor, params: { id, roleId }, inTenant }) => inTenant(tx => deleteRole(tx, actor, id, roleId)),
};

export const tenantRolesRoutes: Handlers<typeof tenantRolesApi> = {
  list: call => listed(call, null),
  create: async ({ actor, body, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => createRole(tx, actor, null, body)), null, language),
  }),
  update: async ({ actor, params: { id }, body, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => updateRole(tx, actor, null, id, body)), null, language),
  }),
  reset: async ({ actor, params: { id }, inTenant, language }) => ({
    data: describeRole(await inTenant(tx => resetRole(tx, actor, null, id)), null, language),
  }),
  delete: ({ actor, params: { id }, inTenant }) => inTenant(tx => deleteRole(tx, actor, null, id)),
};
