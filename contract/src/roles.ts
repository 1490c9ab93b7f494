import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, name, shortPageQuery } from './fields.ts';
import { everyScope, permissionsChange, permissionsInput, role } from './team.ts';

/**
 * A role with its permissions. `kind`: a built-in role, a role of the tenant or a role of this location. `adjusted`: the
 * permissions differ from those that a reset restores.
 */
export const teamRole = role.extend({
  kind: z.enum(['ready', 'tenant', 'location']),
  permissions: everyScope,
  adjusted: z.boolean(),
  /** The number of administrators with this role. */
  members: z.number(),
});
export type TeamRole = z.output<typeof teamRole>;

export const roleForm = z.object({ name, permissions: permissionsInput });
/** Built-in roles keep their names, as do roles of the tenant that a location adjusts. */
const roleChange = z.object({ name, permissions: permissionsChange }).partial();

const roleParams = z.object({ id, roleId: id });
const rolesReply = page(teamRole);

/** The roles of one location: those of the tenant with the adjustments of the location, and its own. */
export const locationRolesApi = {
  offered: endpoint({
    method: 'GET',
    path: '/v1/panel/location/roles',
    access: 'signed-in',
    summary: 'Roles of the active team',
    query: z.object(shortPageQuery()),
    reply: rolesReply,
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/role',
    access: 'read-location',
    location: 'id',
    summary: 'Roles of a location',
    params: idParams,
    query: z.object(shortPageQuery()),
    reply: rolesReply,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/role',
    access: 'update-location',
    location: 'id',
    summary: 'Create a role of the location',
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
    summary: 'Change a role at the location; users with the role keep their permissions',
    params: roleParams,
    body: roleChange,
    reply: one(teamRole),
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/role/:roleId/reset',
    access: 'update-location',
    location: 'id',
    summary: "Reset a role of the location to the tenant's permissions",
    params: roleParams,
    reply: one(teamRole),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/location/:id/role/:roleId',
    access: 'update-location',
    location: 'id',
    summary: 'Delete a role of the location; users with the role keep their permissions',
    params: roleParams,
    reply: 'none',
  }),
} as const;

/** The roles that are offered to every location of the tenant. */
export const tenantRolesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/roles',
    access: 'read-tenant',
    summary: 'Roles of the tenant',
    query: z.object(shortPageQuery()),
    reply: rolesReply,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/roles',
    access: 'tenant-admin',
    summary: 'Create a role for every location',
    body: roleForm,
    reply: one(teamRole),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/tenant/roles/:id',
    access: 'tenant-admin',
    summary: 'Change a role for every location that has not adjusted it',
    params: idParams,
    body: roleChange,
    reply: one(teamRole),
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/roles/:id/reset',
    access: 'tenant-admin',
    summary: 'Reset a role to its built-in permissions',
    params: idParams,
    reply: one(teamRole),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/roles/:id',
    access: 'tenant-admin',
    summary: 'Delete a role of the tenant',
    params: idParams,
    reply: 'none',
  }),
} as const;
