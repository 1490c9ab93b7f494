import type { Portal } from '@portico/contract/portals.ts';
import { useCan } from '#lib/permissions.ts';
import { useUser } from '#lib/user.ts';

/** A member cannot change a portal that belongs to no location, because every location may use it. */
export function useReadOnly(portal: Portal | undefined): boolean {
  const mayUpdate = useCan()('update-portals');
  const { role } = useUser();
  return !mayUpdate || (role === 'member' && portal?.location_id === null);
}
