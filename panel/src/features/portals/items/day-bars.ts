import { formatDay } from '#lib/format.ts';
import type { Bar } from '#ui/bar-chart.tsx';

/** Bars for counts by day. Noon avoids a shift to the neighbouring day in any time zone. */
export const dayBars = (days: readonly { day: string; value: number }[]): Bar[] =>
  days.map(({ day, value }) => ({
    label: formatDay(day),
    short: String(Number(day.slice(8))),
    values: [value],
  }));
