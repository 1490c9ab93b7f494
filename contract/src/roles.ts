import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, name } from './fields.ts';
import { everyScope, permissionsInput, role } from './team.ts';

/**
 * A role with what it stands for. `kind`: one of the ready-made ones, one of the tenant's own, or one of this location's.
 * `adjusted`: it stands for something else here than what a reset brings back.
 */
export const teamRole = role.extend({
  kind: z.enum(['ready', 'tenant', 'location']),
  permissions: everyScope,
  adjusted: z.boolean(),
  /** How many administrators have it. */
  members: z.number(),
});
export type TeamRole = z.output<typeof teamRole>;

export const roleForm = z.object({ name, permissions: permissionsInput });
/** Ready-made roles, and those of the tenant where a location adjusts them, keep their names. */
const roleChange = roleForm.partial();

const roleParams = z.object({ id, roleId: id });
const rolesReply = z.object({ data: z.array(teamRole) });

/** The roles of one location: the tenant's, as they are adjusted there, and its own. */
export const locationRolesApi = {
  offered: endpoint({
    method: 'GET',
    path: '/v1/panel/location/roles',
    access: 'signed-in',
    summary: 'The named sets of permissions, as they stand in the active team',
    reply: rolesReply,
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/role',
    access: 'read-location',
    location: 'id',
    summary: 'The named sets of permissions, as they stand at a location',
    params: idParams,
    reply: rolesReply,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/role',
    access: 'update-location',
    location: 'id',
    summary: 'Make a role of the location',
    params: idParams,
    body: roleForm,
    reply: one(teamRole),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/:id/role/:roleId',
    access: 'update-location',
    location: 'id',
    summary: 'Adjust a role at the location; who has it keeps their permissions',
    params: roleParams,
    body: roleChange,
    reply: one(teamRole),
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/role/:roleId/reset',
    access: 'update-location',
    location: 'id',
    summary: "Bring back the tenant's permissions of a role that was adjusted at the location",
    params: roleParams,
    reply: one(teamRole),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/location/:id/role/:roleId',
    access: 'update-location',
    location: 'id',
    summary: 'Delete a role of the location; who has it keeps their permissions',
    params: roleParams,
    reply: 'none',
  }),
} as const;

/** The roles that every location of the tenant is offered. */
export const tenantRolesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/roles',
    access: 'read-tenant',
    summary: 'The named sets of permissions of the tenant',
    reply: rolesReply,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/roles',
    access: 'tenant-admin',
    summary: 'Make a role for every location',
    body: roleForm,
    reply: one(teamRole),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/tenant/roles/:id',
    access: 'tenant-admin',
    summary: 'Adjust a role for every location that has not adjusted it itself',
    params: idParams,
    body: roleChange,
    reply: one(teamRole),
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/roles/:id/reset',
    access: 'tenant-admin',
    summary: 'Bring back the ready-made permissions of a role',
    params: idParams,
    reply: one(teamRole),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/roles/:id',
    access: 'tenant-admin',
    summary: "Delete a role of the tenant's own",
    params: idParams,
    reply: 'none',
  }),
} as const;
