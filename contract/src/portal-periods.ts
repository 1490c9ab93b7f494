import { z } from 'zod';
import { id } from './fields.ts';
import { maxPeriods, overlaps } from './period-days.ts';
import { timing, timingProblem } from './timing.ts';

/** Periods in which a location or a device shows another portal, by the clocks of the location. */

const portalPeriod = timing.extend({ portal_id: id });
export type PortalPeriod = z.output<typeof portalPeriod>;

/** A period in an answer. */
export const shownPeriod = portalPeriod.extend({ portal: z.object({ id, name: z.string() }) });
export type ShownPeriod = z.output<typeof shownPeriod>;

const timingFields = ['from_time', 'weekdays', 'starts_on', 'ends_on'] as const;

/** The body of a change. A period with only a portal would last for ever, and such a portal has its own field. */
export const portalPeriods = z
  .array(portalPeriod)
  .max(maxPeriods)
  .superRefine((list, context) => {
    list.forEach((it, i) => {
      const set = timingFields.find(field => it[field] !== null);
      const [field, message] =
        timingProblem(it) ??
        (set === undefined
          ? (['starts_on', 'required'] as const)
          : list.slice(0, i).some(other => overlaps(other, it))
            ? ([set, 'period_overlaps'] as const)
            : []);
      if (field) context.addIssue({ code: 'custom', path: [i, field], message: message! });
    });
  });
