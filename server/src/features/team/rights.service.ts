import type { Grant } from '@portico/contract/team.ts';
import type { Tx } from '#db/tenant.ts';
import { type Actor, permissionsIn } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import { countOwnDevices, type MemberRow, type Rights } from './members.queries.ts';
import { listRoles } from './roles.queries.ts';

/** The actor's own rights in a location, beyond which they cannot grant. */
function ownRights(
  actor: Actor,
  locationId: string,
): { permissions: ReadonlySet<string>; deviceIds: readonly string[] | null } {
  const membership = actor.memberships.find(m => m.locationId === locationId);
  return {
    permissions: permissionsIn(actor, locationId),
    deviceIds: actor.role === 'member' ? (membership?.deviceIds ?? null) : null,
  };
}

const within = (ids: readonly string[], own: readonly string[] | null): boolean =>
  own === null || ids.every(id => own.includes(id));

/** The rights to grant, checked against the actor's own. Fields that are not sent stay as in `current`. */
export async function resolveGrant(
  tx: Tx,
  actor: Actor,
  locationId: string,
  grant: Omit<Grant, 'permissions'> & { readonly permissions?: readonly string[] | undefined },
  current?: MemberRow,
): Promise<Rights> {
  const own = ownRights(actor, locationId);
  const roleIds = grant.roleIds ?? current?.roles.map(role => role.id) ?? [];
  const roles = grant.roleIds ? (await listRoles(tx, locationId)).filter(role => roleIds.includes(role.id)) : [];
  if (grant.roleIds && roles.length !== new Set(roleIds).size) throw invalid({ roleIds: 'unknown' });
  const ofRoles = grant.roleIds?.length ? [...new Set(roles.flatMap(role => role.permissions))] : undefined;
  const chosen = grant.permissions ?? ofRoles;
  // Document 2, section 6: a change always leaves viewing the basic statistics. Its form ticks it, and callers need not send it.
  const adds = current && chosen && own.permissions.has('view-basic-stats');
  const permissions = adds
    ? [...new Set([...chosen, 'view-basic-stats'])]
    : (chosen ?? current?.permissions ?? [...own.permissions]);
  if (!permissions.every(key => own.permissions.has(key))) throw invalid({ permissions: 'beyond_own' });
  // The list of a member whose devices were all deleted is empty. Sent back, it stays empty.
  const keeps = grant.deviceIds === undefined || (grant.deviceIds?.length === 0 && current?.device_ids?.length === 0);
  if (current && keeps) return { permissions, roleIds, deviceIds: current.device_ids };
  if (grant.deviceIds?.length === 0) throw invalid({ deviceIds: 'device_list_empty' });
  const deviceIds = await resolveDevices(tx, own.deviceIds, locationId, grant.deviceIds ?? null);
  return { permissions, roleIds, deviceIds };
}

async function resolveDevices(
  tx: Tx,
  own: readonly string[] | null,
  locationId: string,
  wanted: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (wanted === null) return own;
  const ids = [...new Set(wanted)];
  // Devices out of the actor's reach do not exist for them.
  if (!within(ids, own) || (await countOwnDevices(tx, locationId, ids)) !== ids.length)
    throw invalid({ deviceIds: 'unknown' });
  return ids;
}

type Held = Pick<MemberRow, 'permissions' | 'device_ids'>;

function isBeyond(actor: Actor, locationId: string, { permissions, device_ids: devices }: Held): boolean {
  const own = ownRights(actor, locationId);
  const wider = own.deviceIds !== null && (devices === null || !within(devices, own.deviceIds));
  return wider || !permissions.every(key => own.permissions.has(key));
}

/**
 * Throws when the member has more rights than the actor, who then may not change or remove them. A personal token has the rank of
 * its permissions, and not that of its owner's role.
 */
export function requireRank(actor: Actor, locationId: string, member: MemberRow): void {
  if ((actor.role !== 'member' || member.id === actor.userId) && !actor.scopes) return;
  if (member.is_owner || isBeyond(actor, locationId, member)) throw new AppError('outranked');
}

/** Throws when the actor, who is to answer for an invitation from now on, could not grant its rights. */
export function requireGrantable(actor: Actor, locationId: string, invitation: Held): void {
  if (isBeyond(actor, locationId, invitation)) throw new AppError('outranked');
}
