import type { Timing } from '@portico/contract/timing.ts';
import { offsetMs } from '#lib/moments.ts';

type Shown = Pick<Timing, 'starts_on' | 'ends_on' | 'weekdays'> & Partial<Pick<Timing, 'from_time' | 'to_time'>>;

const dayMs = 86_400_000;

/**
 * Whether something is shown now, by the clocks of the location. Hours that pass midnight belong to the day on which they
 * begin.
 */
export function isDue(
  { starts_on, ends_on, weekdays, from_time, to_time }: Shown,
  timeZone: string,
  now = Date.now(),
): boolean {
  const local = now + offsetMs(now, timeZone);
  const clock = new Date(local).toISOString().slice(11, 16);
  const passesMidnight = Boolean(from_time && to_time && to_time < from_time);
  if (from_time && to_time) {
    const [late, early] = [clock >= from_time, clock < to_time];
    if (passesMidnight ? !late && !early : !late || !early) return false;
  }
  const began = new Date(passesMidnight && clock < to_time! ? local - dayMs : local);
  const day = began.toISOString().slice(0, 10);
  const weekday = (began.getUTCDay() || 7) as NonNullable<Shown['weekdays']>[number];
  return (starts_on ?? day) <= day && (ends_on ?? day) >= day && (weekdays?.includes(weekday) ?? true);
}
