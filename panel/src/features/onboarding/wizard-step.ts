import type { Location } from '@portico/contract/locations.ts';
import type { ListSearch } from '#lib/search.ts';

export type Step = 1 | 2 | 3 | 4;

interface Known {
  hasDevice: boolean;
  hasPortal: boolean;
  /** False: the user goes past the portal step. */
  mayPortal: boolean;
}

/** The step in the address, or an earlier one if its data is missing; without one, the step where the setup stopped. */
export function stepOf({ step, brand }: ListSearch, { hasDevice, hasPortal, mayPortal }: Known): Step {
  if (step === '1') return 1;
  if (step === '2') return brand ? 2 : 1;
  if (step === '4' && (hasPortal || (hasDevice && !mayPortal))) return 4;
  return hasPortal || hasDevice ? 3 : 1;
}

/** The access that the portal step needs. */
export const portalAccess = ({ portal_id }: Pick<Location, 'portal_id'>) =>
  portal_id === null ? 'store-portals' : 'view-portals';
