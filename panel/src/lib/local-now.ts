import { clockOf } from '#lib/time-zone.ts';
import { useUser } from '#lib/user.ts';

/** The time zone of a location, for times that are typed there. */
export function useZoneOf(locationId: string | null | undefined): string {
  const user = useUser();
  return user.locations.find(({ id }) => id === locationId)?.time_zone ?? user.time_zone;
}

/** The time zone of days, as on the server: that of the only selected location, else of the active one, else of the tenant. */
export function useClockZone(locations?: readonly string[]): string {
  const user = useUser();
  const only = locations?.length === 1 && user.locations.find(({ id }) => id === locations[0]);
  return !user.active_location && only ? only.time_zone : user.time_zone;
}

/** The current time in that zone. */
export function useLocalNow(locations?: readonly string[]): () => Date {
  const zone = useClockZone(locations);
  return () => clockOf(zone);
}
