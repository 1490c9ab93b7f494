import type { LocationChoices } from '@portico/contract/locations.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';

const none: LocationChoices = { profiles: [], portals: [], devices: [] };

/**
 * What a form of a location can refer to, also records that the user may not open. Forms take their options from here, not from
 * the lists of the screens. Empty until it has loaded, and while no location is chosen.
 */
export function useChoices(locationId: string | null): LocationChoices {
  const enabled = useCan()('choose') && locationId !== null;
  const options = queryOf(api.locations.choices, { params: { id: locationId ?? '' } });
  return useQuery({ ...options, enabled, staleTime: 0 }).data?.data ?? none;
}
