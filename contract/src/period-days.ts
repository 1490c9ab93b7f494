import type { Timing } from './timing.ts';

/** When periods run, by the clocks of a location: `2026-12-24T18:00`. Without zod, because the panel shows it. */

/** The most periods of a location or a device. */
export const maxPeriods = 20;

const dayMs = 86_400_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
const weekdayOf = (day: string): number => new Date(`${day}T00:00Z`).getUTCDay() || 7;

const beginsOn = ({ starts_on, ends_on, weekdays }: Timing, day: string): boolean =>
  (starts_on ?? day) <= day && (ends_on ?? day) >= day && (weekdays?.some(it => it === weekdayOf(day)) ?? true);

/** From when until when it runs if it begins on this day. */
function hoursOf({ from_time, to_time }: Timing, day: string): readonly [from: string, until: string] {
  if (!from_time || !to_time) return [`${day}T00:00`, `${dayAfter(day, 1)}T00:00`];
  return [`${day}T${from_time}`, `${to_time < from_time ? dayAfter(day, 1) : day}T${to_time}`];
}

/** Whether two periods run at the same time at any moment. */
export function overlaps(a: Timing, b: Timing): boolean {
  const starts = [a.starts_on, b.starts_on].filter(it => it !== null).sort();
  const ends = [a.ends_on, b.ends_on].filter(it => it !== null).sort();
  const last = ends[0];
  const first = starts.at(-1) ?? (last ? dayAfter(last, -8) : '2024-01-01');
  // Hours that pass midnight reach into the next day. Weekdays repeat, so that nine days tell about all.
  for (let i = -1; i <= 9; i += 1) {
    const day = dayAfter(first, i);
    if (last && day > dayAfter(last, 1)) return false;
    if (!beginsOn(a, day)) continue;
    const [from, until] = hoursOf(a, day);
    for (const other of [dayAfter(day, -1), day, dayAfter(day, 1)]) {
      if (!beginsOn(b, other)) continue;
      const [otherFrom, otherUntil] = hoursOf(b, other);
      if (from < otherUntil && otherFrom < until) return true;
    }
  }
  return false;
}

/** A moment as the clocks of a zone show it. */
export function localClock(timeZone: string, now: number = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(now);
  const of = (type: string) => parts.find(it => it.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** Longer than a year, for periods of one day a year. A run of more days than this counts as without an end. */
const maxDays = 400;

/** Whether a period runs at a moment (see localClock), until when, and when it begins the next time. */
export function periodState(
  it: Timing,
  clock: string,
): { readonly now: boolean; readonly until: string | null; readonly next: string | null } {
  const today = clock.slice(0, 10);
  const yesterday = dayAfter(today, -1);
  const first = it.starts_on && it.starts_on > yesterday ? it.starts_on : yesterday;
  let run: readonly [string, string] | undefined;
  for (let i = 0; i < maxDays; i += 1) {
    const day = dayAfter(first, i);
    if (it.ends_on && day > it.ends_on) break;
    if (!beginsOn(it, day)) continue;
    const [from, until] = hoursOf(it, day);
    if (until <= clock) continue;
    if (run && from <= run[1]) run = [run[0], until];
    else if (run) return { now: true, until: run[1], next: from };
    else if (from > clock) return { now: false, until: null, next: from };
    else run = [from, until];
  }
  if (!run) return { now: false, until: null, next: null };
  return { now: true, until: run[1] > `${dayAfter(first, maxDays - 2)}T00:00` ? null : run[1], next: null };
}
