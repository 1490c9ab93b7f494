import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { expectedEnd, id, idParams, isLocalTime, momentOrLocal, numeric, whole } from './fields.ts';
import { visitor } from './visitors.ts';

/** More days, from the current end or from now if it has passed; or an end date. */
export const extendForm = z
  .object({
    days: whole(1, 3650).nullish(),
    until: momentOrLocal.nullish(),
    /** Puts the price of the days on the bill of the guest's hotel room. */
    charge_room: z.boolean().optional(),
    /** The `session_end_at` that the caller saw. */
    expected_end_at: expectedEnd,
    /** The `total_paid_day` that the caller saw, because paid days that have not started have no end yet. */
    expected_paid_day: numeric(z.number().int()).optional(),
  })
  .superRefine((it, context) => {
    if (!it.days === !it.until) context.addIssue({ code: 'custom', path: ['days'], message: 'required' });
    // The server compares local times, because it knows the time zone.
    if (it.until && !isLocalTime(it.until) && Date.parse(it.until) <= Date.now())
      context.addIssue({ code: 'custom', path: ['until'], message: 'in_future' });
  });
export type ExtendForm = z.output<typeof extendForm>;

/** `profile_id` null: the location's default. Without `location_id` the location does not change. */
export const moveForm = z.object({ profile_id: id.nullish(), location_id: id.nullish() });
export type MoveForm = z.output<typeof moveForm>;

/** `told`: the number of open sessions that get a command. The sessions show its state. */
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
  extend: change('extend', 'Extend the access of a visitor; with a paid profile, the days are a sale', extendForm),
  pause: change('pause', 'Pause a visitor; open sessions are ended', z.object({})),
  resume: change('resume', 'Resume a paused visitor', z.object({})),
  move: change('move', 'Change the session profile or the location of a visitor', moveForm),
} as const;
