import { z } from 'zod';
import { calendarDay, unlessEmpty } from './fields.ts';
import { webAddress } from './web-address.ts';

/** When a part of a portal is shown, by the clocks of the guest's location. An empty choice means always. */

/** ISO 8601: 1 is Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

export const optionalDay = unlessEmpty(calendarDay.nullable())
  .nullish()
  .transform(it => it ?? null);
/** Null means all. An empty list is refused, so that it does not widen by mistake. */
export const someOf = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .min(1)
    .max(50)
    .nullish()
    .transform(list => (list ? [...new Set(list)].sort() : null));

const optionalClock = unlessEmpty(
  z
    .string()
    .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'clock_format')
    .nullable(),
)
  .nullish()
  .transform(it => it ?? null);

export const httpsLink = z
  .string()
  .trim()
  .max(2000)
  .pipe(webAddress(/^https$/, 'https_link'));

export const timing = z.object({
  /** The first day. */
  starts_on: optionalDay,
  /** The last day. */
  ends_on: optionalDay,
  weekdays: someOf(z.literal(weekdays)),
  /** The first minute of each day, such as 18:00. */
  from_time: optionalClock,
  /** The minute in which it ends. Earlier than `from_time`: on the next day. */
  to_time: optionalClock,
});
export type Timing = z.output<typeof timing>;

/** The first field of a timing that does not fit the others, with its message. */
export function timingProblem({
  starts_on,
  ends_on,
  from_time,
  to_time,
}: Timing): readonly [field: keyof Timing, message: 'after_start' | 'required' | 'other_time'] | undefined {
  if (starts_on && ends_on && ends_on < starts_on) return ['ends_on', 'after_start'];
  if (from_time && !to_time) return ['to_time', 'required'];
  if (to_time && !from_time) return ['from_time', 'required'];
  if (from_time && from_time === to_time) return ['to_time', 'other_time'];
  return undefined;
}
