import { isDay } from '#lib/day-range.ts';

/** The period of the session history: a name, or two days as `2026-11-01_2026-11-20`, in the location's time zone. */

export const periodNames = [
  'today',
  'thisWeek',
  'lastWeek',
  'last7Days',
  'last30Days',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const;
export type PeriodName = (typeof periodNames)[number];
export const standardPeriod: PeriodName = 'today';

type Days = readonly [from: string, to: string];

const isName = (value: string): value is PeriodName => (periodNames as readonly string[]).includes(value);

const text = (date: Date) =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

function daysOf(name: PeriodName, now: Date): Days {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  // Weeks begin on Monday.
  const weekday = (now.getDay() + 6) % 7;
  const span = (from: Date, to: Date): Days => [text(from), text(to)];
  const at = (offset: number) => new Date(year, month, day + offset);
  switch (name) {
    case 'today':
      return span(now, now);
    case 'thisWeek':
      return span(at(-weekday), at(6 - weekday));
    case 'lastWeek':
      return span(at(-weekday - 7), at(-weekday - 1));
    case 'last7Days':
      return span(at(-6), now);
    case 'last30Days':
      return span(at(-29), now);
    case 'thisMonth':
      return span(new Date(year, month, 1), new Date(year, month + 1, 0));
    case 'lastMonth':
      return span(new Date(year, month - 1, 1), new Date(year, month, 0));
    case 'thisYear':
      return span(new Date(year, 0, 1), new Date(year, 11, 31));
    case 'lastYear':
      return span(new Date(year - 1, 0, 1), new Date(year - 1, 11, 31));
  }
}

export type Period = { name: PeriodName; days: Days } | { name?: undefined; days: Days };

/** Two days, or two times as in the API's `session_date`, of which the days count. */
const twoDays = /^(\d{4}-\d{2}-\d{2})(?:[ T][\d:]+)?[_,](\d{4}-\d{2}-\d{2})(?:[ T][\d:]+)?$/;

/** The period in the address; `standard` if it is unreadable. */
export function readPeriod(value: string | undefined, standard = standardPeriod, now = new Date()): Period {
  const days = twoDays.exec(value ?? '');
  const [, first, last] = days ?? [];
  if (isDay(first) && isDay(last)) return { days: [first, last] };
  const name = value && isName(value) ? value : standard;
  return { name, days: daysOf(name, now) };
}

/** The API's `session_date`. Omitted for today, because the server knows the location's day. */
export function sessionDate(value: string | undefined, now: Date): string[] | undefined {
  const { name, days } = readPeriod(value, standardPeriod, now);
  return name === standardPeriod ? undefined : [`${days[0]} 00:00:00`, `${days[1]} 23:59:59`];
}
