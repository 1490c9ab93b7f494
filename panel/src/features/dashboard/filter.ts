import type { StatisticsQuery } from '@portico/contract/statistics.ts';
import { type PeriodName, readPeriod } from '#features/sessions/public.ts';
import { useLocalNow } from '#lib/local-now.ts';
import { type ListSearch, listOf } from '#lib/search.ts';

/** Decisions, section 5. */
export const standardPeriod: PeriodName = 'last7Days';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Reads the dashboard's filter from the address: `?period=&locations=&devices=`, in the location's time zone. */
export function filterOf(search: ListSearch, now: Date): StatisticsQuery {
  const chosen = { locationIds: listOf(search.locations), deviceIds: listOf(search.devices) };
  const [from, to] = readPeriod(search.period, standardPeriod, now).days;
  // Future days would only be empty bars.
  const today = `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
  const end = to > today && from <= today ? today : to;
  const compare = search.compare === 'before' ? { compare: true } : {};
  return { ...chosen, ...compare, start_at: `${from} 00:00:00`, end_at: `${end} 23:59:59` };
}

/** The current filter. */
export function useFilter(search: ListSearch): StatisticsQuery {
  return filterOf(search, useLocalNow(listOf(search.locations))());
}
