import type { StatisticsQuery } from '@portico/contract/statistics.ts';
import { type PeriodName, periodNames, readPeriod } from '#features/sessions/public.ts';
import { isDay } from '#lib/day-range.ts';
import { useClockZone, useLocalNow } from '#lib/local-now.ts';
import { type ListSearch, listOf } from '#lib/search.ts';
import { localTimeIn } from '#lib/time-zone.ts';

/** Decisions, section 5. */
export const standardPeriod: PeriodName = 'last7Days';

const twoDigits = (value: number) => String(value).padStart(2, '0');

const timePattern = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/;

const dayOf = (date: Date) => `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** Whether the address has a time that exists: other texts would stop the screen. */
const isTime = (text: string): boolean =>
  timePattern.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text.replace(' ', 'T')));

/** A time of the address on the clocks of a zone. A time without an offset is returned as it is. */
const onClocks = (time: string, zone: string | undefined): string =>
  zone && /(Z|[+-]\d{2}:\d{2})$/.test(time.slice(10)) ? localTimeIn(zone, time.replace(' ', 'T'), 'medium') : time;

/** The first of the seven days that end with this one. */
function weekBefore(time: string): string {
  const [year, month, day] = time.slice(0, 10).split('-').map(Number) as [number, number, number];
  return dayOf(new Date(year, month - 1, day - 6));
}

/**
 * `start_at` and `end_at` of the address, where they are times. They win over `period`. Without an end the period lasts
 * until now, without a start it has seven days, like in the API.
 */
function timesIn(
  { start_at, end_at }: ListSearch,
  now: Date,
  zone: string | undefined,
): { start_at: string; end_at: string } | undefined {
  if (!start_at && !end_at) return undefined;
  if ([start_at, end_at].some(time => time && !isTime(time))) return undefined;
  const end = end_at || dayOf(now);
  return { start_at: start_at || weekBefore(onClocks(end, zone)), end_at: end.length === 10 ? `${end} 23:59:59` : end };
}

/** The period of the address as the filter shows it: a name, two days (`a_b`) or two times (`a~b`). */
export function shownPeriod(search: ListSearch, now: Date, zone?: string): string | undefined {
  const times = timesIn(search, now, zone);
  if (!times) return search.period;
  const [start, end] = [onClocks(times.start_at, zone), onClocks(times.end_at, zone)];
  const from = /^(\S{10})(?:[ T]00:00(?::00)?)?$/.exec(start)?.[1];
  const to = /^(\S{10})[ T]23:59(?::59)?$/.exec(end)?.[1];
  if (!from || !to) return `${start}~${end}`;
  const sameDays = (name: PeriodName) => readPeriod(name, name, now).days.join('_') === `${from}_${to}`;
  return periodNames.find(sameDays) ?? `${from}_${to}`;
}

/** The address of a period that was chosen in the filter. */
export const periodSearch = (period: string | undefined): ListSearch => ({
  period,
  start_at: undefined,
  end_at: undefined,
});

/**
 * Reads the dashboard's filter from the address, in the location's time zone: `period`, or `start_at` and `end_at`, and
 * `locations` and `devices`.
 */
export function filterOf(search: ListSearch, now: Date, zone?: string): StatisticsQuery {
  const chosen = { locationIds: listOf(search.locations), deviceIds: listOf(search.devices) };
  const times = timesIn(search, now, zone);
  const [from, to] = readPeriod(search.period, standardPeriod, now).days;
  // Future days would only be empty bars.
  const today = dayOf(now);
  const end = to > today && from <= today ? today : to;
  const compare = search.compare === 'before' ? { compare: true } : {};
  return { ...chosen, ...compare, ...(times ?? { start_at: `${from} 00:00:00`, end_at: `${end} 23:59:59` }) };
}

/** The current filter. */
export function useFilter(search: ListSearch): StatisticsQuery {
  const chosen = listOf(search.locations);
  return filterOf(search, useLocalNow(chosen)(), useClockZone(chosen));
}
