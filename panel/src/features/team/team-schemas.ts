import { id } from '@portico/contract/fields.ts';
import { type Permission, permissions } from '@portico/contract/permissions.ts';
import { roleForm } from '@portico/contract/roles.ts';
import { grant, inviteForm } from '@portico/contract/team.ts';
import { z } from 'zod';

/**
 * In the contract, an empty list of devices means all of them. In the forms, the limit is switched on before devices are
 * chosen, and an empty list is an error.
 */
const asked = {
  permissions: z.array(z.enum(permissions as [Permission, ...Permission[]])).min(1),
  deviceIds: z.array(id).min(1).nullable(),
};

export const memberGrant = grant.extend(asked);
export const newInvitation = inviteForm.extend(asked);
export const newRole = roleForm.extend({ permissions: asked.permissions });
