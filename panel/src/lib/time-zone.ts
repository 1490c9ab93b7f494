import { dateFormat } from '#lib/date-format.ts';

/** The current time in a time zone, as a date whose local fields have those values. */
export function clockOf(timeZone: string, now = new Date()): Date {
  const shown: Record<string, number> = {};
  for (const { type, value } of dateFormat('en-GB', {
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

/** The day (`2026-11-21`) in a time zone. */
export const dayIn = (timeZone: string, time: string | number): string =>
  dateFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(time));

/** A time on the clocks of a time zone, in the format of `<input type="datetime-local">`: `2026-11-20T14:30`, `medium` with seconds. */
export const localTimeIn = (timeZone: string, time: string, timeStyle: 'short' | 'medium' = 'short'): string =>
  // Swedish writes dates as ISO 8601 does, with a space before the time.
  dateFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle }).format(new Date(time)).replace(' ', 'T');

/** Whether the browser's clock shows the time of a time zone. */
export const isBrowserZone = (timeZone: string): boolean => Math.abs(clockOf(timeZone).getTime() - Date.now()) < 60_000;
