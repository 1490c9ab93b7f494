import { permissions } from '@portico/contract/permissions.ts';
import { useUser } from '#lib/user.ts';

/** The permissions that the user may grant at a location. For inactive locations only the server knows them, and it decides. */
export function useOwnPermissions(locationId: string): readonly string[] {
  const user = useUser();
  const isKnown = user.role === 'member' && user.active_location?.id === locationId;
  return isKnown ? user.permissions : permissions;
}
