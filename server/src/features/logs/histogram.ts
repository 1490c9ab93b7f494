import { type logIntervals, longestHistogram } from '@portico/contract/logs.ts';
import { invalid } from '#http/app-error.ts';
import { offsetMs } from '#lib/moments.ts';
import { localTime, momentOf } from './local-day.ts';
import type { CountsOf, LogStore } from './log-store.ts';

type Interval = (typeof logIntervals)[number];

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const stepMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const;
/** Without a period: so many days back. */
const usual = { minute: 1 / 24, hour: 2, day: 30 } as const;

export interface LocalPeriod {
  readonly gte?: string | undefined;
  readonly lte?: string | undefined;
}

/** The moments of a period given in local times; a day alone means all of it. 422 when it ends before it starts or is too long. */
export function momentsOf(
  { gte, lte }: LocalPeriod,
  zone: string,
  limits: { usualDays: number; longestDays: number },
  now = Date.now(),
) {
  const end = lte === undefined ? now : momentOf(lte.length === 10 ? `${lte}T23:59:59` : lte, zone);
  const start =
    gte === undefined ? end - limits.usualDays * dayMs : momentOf(gte.length === 10 ? `${gte}T00:00:00` : gte, zone);
  if (end < start) throw invalid({ lte: 'after_start' });
  if (end - start > limits.longestDays * dayMs + hourMs) throw invalid({ lte: 'period_long' });
  return { start, end };
}

/** Where the interval that holds a moment begins, on the clocks of the zone. */
function floorTo(interval: Interval, at: number, zone: string): number {
  if (interval === 'day') return momentOf(`${localTime(at, zone).slice(0, 10)}T00:00:00`, zone);
  const offset = offsetMs(at, zone);
  return Math.floor((at + offset) / stepMs[interval]) * stepMs[interval] - offset;
}

/** The beginnings of all intervals of a period, and of the one after it. A day may have 23 or 25 hours. */
function beginnings(interval: Interval, start: number, end: number, zone: string): number[] {
  const all: number[] = [];
  let at = floorTo(interval, start, zone);
  for (; at <= end; ) {
    all.push(at);
    const next = at + stepMs[interval];
    at =
      interval !== 'day' || offsetMs(next, zone) === offsetMs(at, zone)
        ? next
        : floorTo('day', next + 2 * hourMs, zone);
  }
  return [...all, at];
}

/** Lines per interval, empty ones included, each named by the local time at which it begins. */
export async function histogram(store: LogStore, of: CountsOf, zone: string, interval: Interval, period: LocalPeriod) {
  const limits = { usualDays: usual[interval], longestDays: longestHistogram[interval] };
  const { start, end } = momentsOf(period, zone, limits);
  const starts = beginnings(interval, start, end, zone);
  const first = starts[0] as number;
  const after = starts.at(-1) as number;
  const counts = starts.slice(0, -1).map(at => ({ key_as_string: localTime(at, zone), doc_count: 0 }));
  let bucket = 0;
  // What is added comes in the order of time.
  const add = (at: number, lines: number): void => {
    if (at < first || at >= after) return;
    while ((starts[bucket + 1] as number) <= at) bucket++;
    (counts[bucket] as { doc_count: number }).doc_count += lines;
  };
  const range = [new Date(first), new Date(after)] as const;
  // Hours are counted by UTC; where the zone's own hours begin elsewhere, the minutes tell.
  const wholeHours = [first, after].every(at => offsetMs(at, zone) % hourMs === 0);
  if (interval !== 'minute' && wholeHours) {
    for (const { hour, lines } of await store.hours(of, ...range)) add(hour, lines);
    return counts;
  }
  for (const { hour, minutes } of await store.minutes(of, ...range))
    for (const [i, lines] of minutes.entries()) if (lines > 0) add(hour + i * minuteMs, lines);
  return counts;
}
