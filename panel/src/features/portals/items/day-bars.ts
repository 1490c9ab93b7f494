import { formatDay } from '#lib/format.ts';
import type { Bar } from '#ui/bar-chart.tsx';

/** Bars for counts by day. Noon avoids a shift to the neighbouring day in any time zone. */
export const dayBars = (days: readonly { day: string; value: number }[]): Bar[] =>
  days.map(({ day, value }) => ({
    label: formatDay(day),
    short: String(Number(day.slice(8))),
    values: [value],
  }));

/** The same as dayBars, with the month under the axis: weeks go over several months. */
export const weekBars = (weeks: readonly { day: string; value: number }[]): Bar[] =>
  weeks.map(({ day, value }) => ({
    label: formatDay(day),
    short: `${Number(day.slice(8))}.${Number(day.slice(5, 7))}`,
    values: [value],
  }));
