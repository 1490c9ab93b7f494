import { useUser } from '#lib/user.ts';

/** The location of a new entry: the active one, else the only one, else null until the user chooses. */
export function useWorkingLocation(): string | null {
  const user = useUser();
  return user.active_location?.id ?? (user.locations.length === 1 ? (user.locations[0]?.id ?? null) : null);
}
