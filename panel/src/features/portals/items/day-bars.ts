import { formatDate } from '#lib/format.ts';
import type { Bar } from '#ui/bar-chart.tsx';

/** Counts by day as bars. A day's noon as local time is that day everywhere. */
export const dayBars = (days: readonly { day: string; value: number }[]): Bar[] =>
  days.map(({ day, value }) => ({
    label: formatDate(`${day}T12:00:00`),
    short: String(Number(day.slice(8))),
    values: [value],
  }));
