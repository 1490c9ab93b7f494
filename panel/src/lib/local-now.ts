import { useUser } from '#lib/user.ts';

/** The current time in a time zone, as a date whose local fields have those values. */
export function clockOf(timeZone: string, now = new Date()): Date {
  const shown: Record<string, number> = {};
  for (const { type, value } of new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(now))
    shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour, minute, second } = shown;
  return new Date(year, month - 1, day, hour, minute, second);
}

/** The time zone of days, as on the server: that of the only selected location, else of the active one. */
export function useLocalNow(locations?: readonly string[]): () => Date {
  const user = useUser();
  const only = locations?.length === 1 && user.locations.find(({ id }) => id === locations[0]);
  const zone = !user.active_location && only ? only.time_zone : user.time_zone;
  return () => clockOf(zone);
}
