import type { Language } from '@portico/contract/errors.ts';
import { changedPermissions, permissionScopes } from '@portico/contract/permissions.ts';
import { type Member, type MemberForm, roleName } from '@portico/contract/team.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { announce, notify } from '#features/notifications/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid, notFound } from '#http/app-error.ts';
import * as queries from './members.queries.ts';
import { requireRank, resolveGrant } from './rights.service.ts';

/** Roles under the names that their reader knows. */
export const namedRoles = <R extends { name: string }>(roles: readonly R[], language: Language): R[] =>
  roles.map(role => ({ ...role, name: roleName(role.name, language) }));

export function describeMember({ device_ids, ...row }: queries.MemberRow, language: Language): Member {
  return {
    ...row,
    token: null,
    roles: namedRoles(row.roles, language),
    deviceIds: device_ids,
    permissions: permissionScopes(row.permissions),
  };
}

const subjectOf = (member: queries.MemberRow) => ({ type: 'member' as const, id: member.id, name: member.email });
const rightsOf = (member: queries.MemberRow) => ({
  permissions: member.permissions,
  deviceIds: member.device_ids,
  roles: member.roles.map(role => role.name),
});

/** The location of a member in a call that names no location: the active team, else the only one, which devices may tell. */
export async function locationOf(
  tx: Tx,
  actor: Actor,
  { userId, deviceIds }: { userId: string; deviceIds: readonly string[] },
): Promise<string> {
  if (actor.activeLocationId) return actor.activeLocationId;
  const [only, another] = await queries.locationsOf(tx, actor, { userId, deviceIds });
  if (another) throw invalid({ location_id: 'choose_location' });
  if (only) return only;
  // The devices are elsewhere, which the grant reports at its field.
  const [team] = deviceIds.length ? await queries.locationsOf(tx, actor, { userId, deviceIds: [] }) : [];
  if (!team) throw notFound();
  return team;
}

export async function updateMember(
  tx: Tx,
  actor: Actor,
  it: { locationId: string; userId: string; grant: MemberForm },
): Promise<queries.MemberRow> {
  found(await queries.lockTeam(tx, it.locationId));
  const before = found(await queries.findMember(tx, it.locationId, it.userId));
  requireRank(actor, it.locationId, before);
  if (it.grant.email && it.grant.email !== before.email) throw invalid({ email: 'other_member' });
  const { permissions, ...others } = it.grant;
  const grant = { ...others, permissions: permissions && changedPermissions(before.permissions, permissions) };
  const rights = await resolveGrant(tx, actor, it.locationId, grant, before);
  if (!rights.permissions.includes('update-location') && !(await queries.managedWithout(tx, actor, it)))
    throw new AppError('last_manager');
  await queries.updateMember(tx, it.locationId, it.userId, rights);
  const after = found(await queries.findMember(tx, it.locationId, it.userId));
  await audit(tx, actor, {
    verb: 'grant',
    subject: subjectOf(after),
    locationId: it.locationId,
    before: rightsOf(before),
    after: rightsOf(after),
  });
  await announce(tx, 'team', it.locationId);
  return after;
}

export async function revokeMember(tx: Tx, actor: Actor, locationId: string, userId: string): Promise<void> {
  found(await queries.lockTeam(tx, locationId));
  const member = found(await queries.findMember(tx, locationId, userId));
  requireRank(actor, locationId, member);
  if (!(await queries.managedWithout(tx, actor, { locationId, userId }))) throw new AppError('last_manager');
  await queries.deleteMember(tx, locationId, userId);
  await tellOfWebhooksOf(tx, userId, locationId);
  await audit(tx, actor, { verb: 'revoke', subject: subjectOf(member), locationId, before: rightsOf(member) });
  await announce(tx, 'team', locationId);
}

/** Tells those who remain at a location which webhooks a user left behind, who has just lost it. */
export async function tellOfWebhooksOf(tx: Tx, userId: string, locationId: string): Promise<void> {
  const left = await queries.webhooksOf(tx, userId, locationId);
  if (left.length > 0) await tellOfWebhooks(tx, await queries.nameOf(tx, userId), left);
}

/** Like tellOfWebhooksOf, for a user whose role has just become `newRole`. */
export async function tellOfLostRole(
  tx: Tx,
  user: { id: string; name: string; role: string },
  newRole: string,
): Promise<void> {
  // The other roles reach the locations of the user only.
  if (user.role === newRole || user.role === 'member' || newRole === 'tenant-admin' || newRole === 'auditor') return;
  await tellOfWebhooks(tx, user.name, await queries.webhooksOf(tx, user.id, null));
}

/**
 * Tells those who remain which webhooks a user left behind. They belong to the location or the tenant and go on, because
 * software may depend on them; but the user chose where they lead.
 */
export async function tellOfWebhooks(tx: Tx, user: string, left: readonly queries.LeftWebhooks[]): Promise<void> {
  for (const { location_id: locationId, place, names } of left)
    await notify(tx, {
      to: locationId ? { location: locationId } : { tenant: 'admins' },
      kind: 'webhooks_left',
      data: { location: place, user, names: names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '') },
      locationId,
    });
}
