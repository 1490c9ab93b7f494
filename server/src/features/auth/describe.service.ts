import type { AuthUser } from '@portico/contract/auth.ts';
import type { Language } from '@portico/contract/errors.ts';
import { permissions } from '@portico/contract/permissions.ts';
import { roleName } from '@portico/contract/team.ts';
import type { Tx } from '#db/tenant.ts';
import { countDevices } from '#features/devices/public.ts';
import { countPortals } from '#features/portals/public.ts';
import type { Actor } from '#http/actor.ts';
import * as queries from './auth.queries.ts';

/** The signed-in user with what the panel needs to decide what to show. */
export async function describeUser(tx: Tx, actor: Actor, language: Language): Promise<AuthUser> {
  const user = await queries.getUser(tx, actor.userId, actor.activeLocationId, actor.tokenId);
  const membership = actor.memberships.find(m => m.locationId === actor.activeLocationId);
  const { locations, devices, portals } = {
    locations: await queries.listSwitchable(tx, actor),
    devices: await countDevices(tx, actor.scope),
    portals: await countPortals(tx, actor.scope),
  };
  return {
    ...user,
    roles: user.roles.map(role => ({ ...role, name: roleName(role.name, language) })),
    hid: user.id,
    full_name: `${user.first_name} ${user.last_name}`.trim(),
    is_team_admin: actor.isTeamAdmin,
    can_create_location: actor.canCreateLocation,
    total_devices: devices,
    total_portals: portals,
    permissions: permissions.filter(key => actor.permissions.has(key)),
    locations,
    deviceIds: actor.role === 'member' && membership?.deviceIds ? [...membership.deviceIds] : null,
  };
}
