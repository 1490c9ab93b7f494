import { type PeriodName, periodNames, readPeriod } from '#features/sessions/public.ts';
import type { ListSearch } from '#lib/search.ts';

/*
 * Log screens keep their period in the address as `start_at` and `end_at`, in the time zone of the location.
 * The period editor handles named periods and pairs of days; any other value is used as it is.
 */

const wholeDays = /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00(?::00)?)?$/;
const wholeDaysEnd = /^(\d{4}-\d{2}-\d{2})(?:[ T]23:59(?::59)?)?$/;

/** The editor's value for the address: a name, two days, or `<start>~<end>`. */
export function periodOf({ start_at, end_at }: ListSearch, now: Date): string | undefined {
  if (!start_at && !end_at) return undefined;
  const from = wholeDays.exec(start_at ?? '')?.[1];
  const to = wholeDaysEnd.exec(end_at ?? '')?.[1];
  if (!from || !to) return `${start_at ?? ''}~${end_at ?? ''}`;
  const named = periodNames.find(name => {
    const { days } = readPeriod(name, name, now);
    return days[0] === from && days[1] === to;
  });
  return named ?? `${from}_${to}`;
}

/** The address for a value of the editor. */
export function searchOf(value: string | undefined, now: Date): ListSearch {
  if (!value) return { start_at: undefined, end_at: undefined };
  const { days } = readPeriod(value, undefined, now);
  return { start_at: `${days[0]} 00:00:00`, end_at: `${days[1]} 23:59:59` };
}

export const nameOf = (value: string): PeriodName | undefined => periodNames.find(name => name === value);
