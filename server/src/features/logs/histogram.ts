import { type logIntervals, maxHistogramDays } from '@portico/contract/log-intervals.ts';
import { invalid } from '#http/app-error.ts';
import { offsetMs } from '#lib/moments.ts';
import { localTime, momentOf } from './local-day.ts';
import type { CountedDevice, LogStore } from './log-store.ts';

type Interval = (typeof logIntervals)[number];

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const stepMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const;
/** The default period in days. */
const defaultDays = { minute: 1 / 24, hour: 2, day: 30 } as const;

export interface LocalPeriod {
  readonly gte?: string | undefined;
  readonly lte?: string | undefined;
}

/** Converts a period in local time to UTC. A date without a time means the whole day. 422 if it ends before it starts or is too long. */
export function momentsOf(
  { gte, lte }: LocalPeriod,
  zone: string,
  limits: { defaultDays: number; maxDays: number },
  now = Date.now(),
) {
  const end = lte === undefined ? now : momentOf(lte.length === 10 ? `${lte}T23:59:59` : lte, zone);
  const start =
    gte === undefined ? end - limits.defaultDays * dayMs : momentOf(gte.length === 10 ? `${gte}T00:00:00` : gte, zone);
  if (end < start) throw invalid({ lte: 'after_start' });
  if (end - start > limits.maxDays * dayMs + hourMs) throw invalid({ lte: 'period_long' });
  return { start, end };
}

/** The start of the interval that contains a time, in local time. */
function startOf(interval: Interval, at: number, zone: string): number {
  if (interval === 'day') return momentOf(`${localTime(at, zone).slice(0, 10)}T00:00:00`, zone);
  const offset = offsetMs(at, zone);
  return Math.floor((at + offset) / stepMs[interval]) * stepMs[interval] - offset;
}

/** The start of every interval of a period and of the next one. A day may have 23 or 25 hours. */
function intervalStarts(interval: Interval, start: number, end: number, zone: string): number[] {
  const all: number[] = [];
  let at = startOf(interval, start, zone);
  for (; at <= end; ) {
    all.push(at);
    const next = at + stepMs[interval];
    at =
      interval !== 'day' || offsetMs(next, zone) === offsetMs(at, zone)
        ? next
        : startOf('day', next + 2 * hourMs, zone);
  }
  return [...all, at];
}

/** Lines per interval, including empty ones. Each interval is named by its local start time. */
export async function histogram(
  store: LogStore,
  of: CountedDevice,
  zone: string,
  interval: Interval,
  period: LocalPeriod,
) {
  const limits = { defaultDays: defaultDays[interval], maxDays: maxHistogramDays[interval] };
  const { start, end } = momentsOf(period, zone, limits);
  const starts = intervalStarts(interval, start, end, zone);
  const first = starts[0] as number;
  const after = starts.at(-1) as number;
  const counts = starts.slice(0, -1).map(at => ({ key_as_string: localTime(at, zone), doc_count: 0 }));
  let bucket = 0;
  // Counts are added in the order of time.
  const add = (at: number, lines: number): void => {
    if (at < first || at >= after) return;
    while ((starts[bucket + 1] as number) <= at) bucket++;
    (counts[bucket] as { doc_count: number }).doc_count += lines;
  };
  const range = [new Date(first), new Date(after)] as const;
  // Hourly counts are in UTC. For a zone whose offset is not a whole hour, minutes are summed instead.
  const wholeHours = [first, after].every(at => offsetMs(at, zone) % hourMs === 0);
  if (interval !== 'minute' && wholeHours) {
    for (const { hour, lines } of await store.hours(of, ...range)) add(hour, lines);
    return counts;
  }
  for (const { hour, minutes } of await store.minutes(of, ...range))
    for (const [i, lines] of minutes.entries()) if (lines > 0) add(hour + i * minuteMs, lines);
  return counts;
}
