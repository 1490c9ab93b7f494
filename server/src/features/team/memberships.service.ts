import type { Tx } from '#db/tenant.ts';
import { audit, type Doer } from '#features/audit/public.ts';
import { announce } from '#features/notifications/public.ts';
import * as queries from './members.queries.ts';
import { tellOfWebhooksOf } from './members.service.ts';
import { listRoles } from './roles.queries.ts';

export interface WantedMembership {
  readonly locationId: string;
  readonly roleIds: readonly string[];
}

const rightsOf = (member: queries.MemberRow) => ({
  permissions: member.permissions,
  deviceIds: member.device_ids,
  roles: member.roles.map(role => role.name),
});

const sorted = (list: readonly string[]) => [...list].sort().join();

/**
 * Makes these the only memberships of a user, each with the permissions that its roles have at the location. An identity
 * provider decides, so no grantor's rights limit this. A location may lose its last manager, because the tenant's
 * administrators still reach it.
 */
export async function setMemberships(
  tx: Tx,
  by: Doer,
  user: { id: string; email: string },
  wanted: readonly WantedMembership[],
): Promise<void> {
  const subject = { type: 'member' as const, id: user.id, name: user.email };
  const had = new Set(await queries.everyLocationOf(tx, user.id));
  for (const locationId of [...had].filter(id => !wanted.some(it => it.locationId === id))) {
    await queries.lockTeam(tx, locationId);
    const before = await queries.findMember(tx, locationId, user.id);
    await queries.deleteMember(tx, locationId, user.id);
    if (before) await tellOfWebhooksOf(tx, user.id, locationId);
    if (before) await audit(tx, by, { verb: 'revoke', subject, locationId, before: rightsOf(before) });
    await announce(tx, 'team', locationId);
  }
  for (const { locationId, roleIds } of wanted) {
    await queries.lockTeam(tx, locationId);
    const roles = (await listRoles(tx, locationId)).filter(role => roleIds.includes(role.id));
    const permissions = [...new Set(roles.flatMap(role => role.permissions))];
    const rights = { permissions, deviceIds: null, roleIds: roles.map(role => role.id) };
    const before = await queries.findMember(tx, locationId, user.id);
    if (!before) await queries.insertMember(tx, locationId, user.id, rights);
    else if (
      sorted(before.permissions) === sorted(permissions) &&
      sorted(before.roles.map(it => it.id)) === sorted(rights.roleIds) &&
      before.device_ids === null
    )
      continue;
    else await queries.updateMember(tx, locationId, user.id, rights);
    const after = (await queries.findMember(tx, locationId, user.id))!;
    await audit(tx, by, {
      verb: 'grant',
      subject,
      locationId,
      before: before && rightsOf(before),
      after: rightsOf(after),
    });
    await announce(tx, 'team', locationId);
  }
}
