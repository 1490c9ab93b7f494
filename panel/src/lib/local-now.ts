import { clockOf } from '#lib/time-zone.ts';
import { useUser } from '#lib/user.ts';

/** The time zone of a location, for times that are typed there. */
export function useZoneOf(locationId: string | null | undefined): string {
  const user = useUser();
  return user.locations.find(({ id }) => id === locationId)?.time_zone ?? user.time_zone;
}

/** The time zone of days, as on the server: that of the only selected location, else of the active one. */
export function useLocalNow(locations?: readonly string[]): () => Date {
  const user = useUser();
  const only = locations?.length === 1 && user.locations.find(({ id }) => id === locations[0]);
  const zone = !user.active_location && only ? only.time_zone : user.time_zone;
  return () => clockOf(zone);
}
