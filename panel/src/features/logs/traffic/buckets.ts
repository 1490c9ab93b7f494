import type { logIntervals } from '@portico/contract/log-intervals.ts';

export type LogInterval = (typeof logIntervals)[number];
export interface Bucket {
  readonly key_as_string: string;
  readonly doc_count: number;
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Intervals per bar. Each divides the next larger unit (days: a week, about a month). */
const steps = { minute: [1, 2, 5, 10, 15, 30], hour: [1, 2, 3, 6, 12], day: [1, 7, 28] } as const;
/** More bars do not fit side by side. */
export const maxBars = 150;

/** Merges neighbouring buckets until they fit. `step` is the number of intervals per bar. */
export function mergeBuckets(buckets: readonly Bucket[], interval: LogInterval): { step: number; bars: Bucket[] } {
  const step = steps[interval].find(each => buckets.length / each <= maxBars) ?? steps[interval].at(-1) ?? 1;
  if (step === 1) return { step, bars: [...buckets] };
  const merged = new Map<number, { key_as_string: string; doc_count: number }>();
  for (const { key_as_string, doc_count } of buckets) {
    const slot = Math.floor(Date.parse(`${key_as_string}Z`) / (unitMs[interval] * step));
    const bar = merged.get(slot);
    if (bar) bar.doc_count += doc_count;
    else merged.set(slot, { key_as_string, doc_count });
  }
  return { step, bars: [...merged.values()] };
}

/** The length of a period in days; 0 if an end is missing. */
function daysOf(gte: string | undefined, lte: string | undefined): number {
  if (!gte || !lte) return 0;
  const at = (text: string, clock: string) => Date.parse(`${text.slice(0, 10)}T${text.slice(11) || clock}Z`);
  return (at(lte, '23:59:59') - at(gte, '00:00:00')) / unitMs.day;
}

/** The intervals that the server allows for a period. `longest` is the longest period of each in days. */
export function fittingIntervals(
  period: { gte?: string | undefined; lte?: string | undefined },
  longest: Readonly<Record<LogInterval, number>>,
): LogInterval[] {
  const days = daysOf(period.gte, period.lte);
  return (['minute', 'hour', 'day'] as const).filter(interval => !(days > longest[interval]));
}
