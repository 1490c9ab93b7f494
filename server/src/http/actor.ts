import { type Access, isChanging, type Permission, permissions } from '@portico/contract/permissions.ts';
import { inLocations, type Scope } from '#db/scope.ts';

export interface Membership {
  readonly locationId: string;
  readonly permissions: ReadonlySet<string>;
  readonly deviceIds: readonly string[] | null;
}

/** The caller, built once per request from the token. */
export interface Actor {
  readonly tenantId: string;
  readonly userId: string;
  readonly tokenId: string;
  /** Address of the request; null outside of requests. */
  readonly ip: string | null;
  /** The permissions of a personal token; null for a signed-in person. */
  readonly scopes: ReadonlySet<string> | null;
  /** The location of a personal token that is limited to one; else null. */
  readonly onlyLocationId: string | null;
  readonly role: 'tenant-admin' | 'reseller' | 'auditor' | 'member';
  readonly isTeamAdmin: boolean;
  readonly canCreateLocation: boolean;
  readonly activeLocationId: string | null;
  /** Time zone of local times: the active location's, else the tenant's. */
  readonly timeZone: string;
  readonly memberships: readonly Membership[];
  /** The scope of lists: the active team, or everything the caller may see. */
  readonly scope: Scope;
  /** Everything the caller may see, independent of the active team: for reading one record by its id. */
  readonly reach: Scope;
  /** The permissions in the active team. */
  readonly permissions: ReadonlySet<string>;
}

const everything: ReadonlySet<string> = new Set(permissions);
// Auditors may not search identities. The audit log shows them who did.
const reading: ReadonlySet<string> = new Set(
  permissions.filter(key => key.startsWith('view-') && key !== 'view-identity'),
);
const nothing: ReadonlySet<string> = new Set();

/** The permissions that a role has in any location it reaches, or undefined when its membership decides. */
const ofRole = (role: Actor['role']): ReadonlySet<string> | undefined =>
  role === 'tenant-admin' || role === 'reseller' ? everything : role === 'auditor' ? reading : undefined;

export interface ActorRow {
  tenant_id: string;
  user_id: string;
  token_id: string;
  role: Actor['role'];
  /** The scopes of a personal token. */
  scopes?: string[] | null;
  active_location_id: string | null;
  /** The time zone of the active location. */
  time_zone: string | null;
  tenant_time_zone: string;
  memberships: { location_id: string; permissions: string[]; device_ids: string[] | null }[];
}

/** Derives what a user may see and do. A member works in one location at a time; other roles see all of theirs. */
export function actorOf(row: ActorRow, ip: string | null): Actor {
  const scopes = row.scopes ? new Set(row.scopes) : null;
  // A token never has more permissions than its owner.
  const narrowed = (held: ReadonlySet<string>): ReadonlySet<string> =>
    scopes ? new Set([...held].filter(it => scopes.has(it))) : held;
  const onlyLocationId = scopes && row.active_location_id;
  const memberships = row.memberships
    .filter(m => onlyLocationId === null || m.location_id === onlyLocationId)
    .map(m => ({
      locationId: m.location_id,
      permissions: narrowed(new Set(m.permissions)),
      deviceIds: m.device_ids,
    }));
  const member = row.role === 'member';
  const membership = memberships.find(m => m.locationId === row.active_location_id);
  // The row may still name a team that the member was removed from.
  const active = member && !membership ? null : row.active_location_id;
  const here: Scope = { kind: 'locations', ids: active ? [active] : [], deviceIds: membership?.deviceIds ?? null };
  const all: Scope =
    row.role === 'tenant-admin' || row.role === 'auditor' ? { kind: 'tenant' } : { kind: 'owned', userId: row.user_id };
  return {
    tenantId: row.tenant_id,
    userId: row.user_id,
    tokenId: row.token_id,
    ip,
    role: row.role,
    scopes,
    onlyLocationId,
    isTeamAdmin: !scopes && row.role === 'tenant-admin',
    canCreateLocation: !scopes && (row.role === 'tenant-admin' || row.role === 'reseller'),
    activeLocationId: active,
    timeZone: (active && row.time_zone) || row.tenant_time_zone,
    memberships,
    scope: member || active ? { ...here, deviceIds: member ? here.deviceIds : null } : all,
    reach: member || onlyLocationId !== null ? { ...here, deviceIds: member ? here.deviceIds : null } : all,
    permissions: narrowed(ofRole(row.role) ?? membership?.permissions ?? nothing),
  };
}

/** The scope of a list: the location in the query, which may be outside of the active team, else the actor's scope. */
export const listScope = ({ scope, reach }: Actor, { location_id }: { location_id?: string | undefined }): Scope =>
  location_id ? inLocations(reach, [location_id]) : scope;

/** The only place that decides access. With `locationId` the permissions in that location count instead of the active team's. */
export function allows(actor: Actor, access: Access, locationId?: string): boolean {
  switch (access) {
    case 'public':
    case 'signed-in':
      return true;
    case 'tenant-admin':
      return actor.isTeamAdmin;
    case 'create-location':
      return actor.canCreateLocation;
    case 'read-tenant':
      return actor.isTeamAdmin || (actor.role === 'auditor' && !actor.scopes);
    case 'read-location':
      return (actor.role === 'auditor' && !actor.scopes) || permissionsIn(actor, locationId).has('update-location');
    case 'read-profiles': {
      const held = permissionsIn(actor, locationId);
      return held.has('view-clients') || held.has('update-location');
    }
    case 'choose':
      return (actor.role === 'auditor' && !actor.scopes) || [...permissionsIn(actor, locationId)].some(isChanging);
    default:
      return permissionsIn(actor, locationId).has(access);
  }
}

/** The permissions of an actor in a location (default: the active team). */
export function permissionsIn(actor: Actor, locationId?: string): ReadonlySet<string> {
  if (locationId === undefined || actor.role !== 'member') return actor.permissions;
  return actor.memberships.find(m => m.locationId === locationId)?.permissions ?? nothing;
}

/** True for a member, and for a token that is limited to one location. */
export const inOneLocation = ({ role, onlyLocationId }: Actor): boolean => role === 'member' || onlyLocationId !== null;

/** True for a member who sees only some devices of the location, and therefore no totals of the location. */
export const isLimited = ({ reach }: Actor): boolean => reach.kind === 'locations' && reach.deviceIds !== null;

/** True when the actor holds a permission in the active team. */
export const may = (actor: Actor, permission: Permission): boolean => actor.permissions.has(permission);
