import { permissions } from '@portico/contract/permissions.ts';
import { useUser } from '#lib/user.ts';

/** What one may grant at a location. Of those one does not work in now only the server knows; it has the last word anyway. */
export function useOwnPermissions(locationId: string): readonly string[] {
  const user = useUser();
  const isKnown = user.role === 'member' && user.active_location?.id === locationId;
  return isKnown ? user.permissions : permissions;
}
