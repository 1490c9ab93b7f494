import type { AuthUser } from '@portico/contract/auth.ts';
import { type Access, isChanging } from '@portico/contract/permissions.ts';
import { useUser } from '#lib/user.ts';

/** Applies the server's rules, to hide actions that the server would refuse. */
export function allows(user: AuthUser, access: Access): boolean {
  if (access === 'public' || access === 'signed-in') return true;
  if (access === 'tenant-admin') return user.is_team_admin;
  if (access === 'create-location') return user.can_create_location;
  if (access === 'read-tenant') return user.is_team_admin || user.role === 'auditor';
  if (access === 'read-location') return user.role === 'auditor' || user.permissions.includes('update-location');
  if (access === 'read-profiles')
    return user.permissions.includes('view-clients') || user.permissions.includes('update-location');
  if (access === 'choose') return user.role === 'auditor' || user.permissions.some(isChanging);
  return user.permissions.includes(access);
}

// Stryker disable all: hooks need a rendered screen, so the journeys test them.
/** Whether the user is limited to some devices: features that cover all devices are hidden. */
export const useLimited = (): boolean => useUser().deviceIds !== null;

/** `const can = useCan(); can('update-devices')`. */
export function useCan(): (access: Access) => boolean {
  const user = useUser();
  return access => allows(user, access);
}
