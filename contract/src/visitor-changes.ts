import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { expectedEnd, id, idParams, isLocalTime, momentOrLocal, numeric, whole } from './fields.ts';
import { visitor } from './visitors.ts';

/** Days more, from the end there is or from now where that is past; or an end by date. */
export const extendForm = z
  .object({
    days: whole(1, 3650).nullish(),
    until: momentOrLocal.nullish(),
    /** The caller's `session_end_at`. */
    expected_end_at: expectedEnd,
    /** The caller's `total_paid_day`: paid days that have not begun have no end yet. */
    expected_paid_day: numeric(z.number().int()).optional(),
  })
  .superRefine((it, context) => {
    if (!it.days === !it.until) context.addIssue({ code: 'custom', path: ['days'], message: 'required' });
    // Times on the clocks of the location are compared by the server.
    if (it.until && !isLocalTime(it.until) && Date.parse(it.until) <= Date.now())
      context.addIssue({ code: 'custom', path: ['until'], message: 'in_future' });
  });
export type ExtendForm = z.output<typeof extendForm>;

/** `profile_id` null: the location's default. Without `location_id` the visitor stays where it is. */
export const moveForm = z.object({ profile_id: id.nullish(), location_id: id.nullish() });
export type MoveForm = z.output<typeof moveForm>;

/** `told` is the number of running sessions that get a command. The sessions show its state. */
const changed = visitor.extend({ told: z.number() });
export type ChangedVisitor = z.output<typeof changed>;

const change = <const P extends string, const B extends z.ZodType>(verb: P, summary: string, body: B) =>
  endpoint({
    method: 'POST',
    path: `/v1/panel/client/:id/${verb}`,
    access: 'update-clients',
    summary,
    params: idParams,
    body,
    reply: one(changed),
    status: 200,
  });

export const visitorChangesApi = {
  extend: change('extend', 'Give a visitor more time; on a paid profile days are a sale', extendForm),
  pause: change('pause', 'Keep a visitor out until resumed; running sessions are ended', z.object({})),
  resume: change('resume', 'Let a paused visitor in again', z.object({})),
  move: change('move', 'Give a visitor another session profile, or take it to another location', moveForm),
} as const;
