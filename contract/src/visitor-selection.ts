import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { expectedEnd, id, isLocalTime, momentOrLocal, whole } from './fields.ts';
import { credentials, selection } from './visitors.ts';

const selected = z.object({ ids: selection });

/** The same choice as in the form of one visitor: more days, or an end date. `expected_end_at`: the ends that the caller saw, by visitor. */
export const extendSelectedForm = selected
  .extend({
    days: whole(1, 3650).nullish(),
    until: momentOrLocal.nullish(),
    expected_end_at: z.record(id, expectedEnd).optional(),
  })
  .superRefine((it, context) => {
    if (!it.days === !it.until) context.addIssue({ code: 'custom', path: ['days'], message: 'required' });
    if (it.until && !isLocalTime(it.until) && Date.parse(it.until) <= Date.now())
      context.addIssue({ code: 'custom', path: ['until'], message: 'in_future' });
  });

/** Without a profile, the visitors get the default of the location. */
export const moveSelectedForm = selected.extend({ location_id: id, profile_id: id.nullish() });

/**
 * `changed`: the visitors to which the action applied. `skipped`: the others, such as erased ones, or those without an end
 * that days could be added to. `told`: the number of open sessions that get a command.
 * `unendable`, of `end-sessions`: those among them whose gateway takes no command, so that they go on.
 */
const result = z.object({
  changed: z.number(),
  skipped: z.number(),
  told: z.number(),
  unendable: z.number().optional(),
});
export type SelectionResult = z.output<typeof result>;

const action = <const V extends string, const A extends 'update-clients' | 'delete-clients', const B extends z.ZodType>(
  verb: V,
  access: A,
  summary: string,
  body: B,
) =>
  endpoint({
    method: 'POST',
    path: `/v1/panel/client/selected/${verb}`,
    access,
    summary,
    body,
    reply: one(result),
    status: 200,
  });

/** One action on many visitors. If one of them is out of the caller's reach, nothing changes. */
export const visitorSelectionApi = {
  extend: action('extend', 'update-clients', 'Extend the access of several visitors', extendSelectedForm),
  move: action(
    'move',
    'update-clients',
    'Move several visitors to a session profile of a location; sessions at another location are ended. Visitors whose username, identity number or device exists there are skipped, as are those who have not paid for a paid profile. Without a profile, those who are there already are skipped too. If none is moved, nothing changes',
    moveSelectedForm,
  ),
  pause: action('pause', 'update-clients', 'Pause several visitors; open sessions are ended', selected),
  resume: action('resume', 'update-clients', 'Resume several visitors', selected),
  endSessions: action('end-sessions', 'update-clients', 'End the open sessions of several visitors', selected),
  delete: action('delete', 'delete-clients', 'Delete several visitors; open sessions are ended', selected),
  cards: endpoint({
    method: 'POST',
    path: '/v1/panel/client/selected/cards',
    access: 'update-clients',
    summary: 'Usernames and passwords of several visitors, for printing; those of other sign-in methods are left out',
    body: selected,
    reply: z.object({ data: z.array(credentials) }),
    status: 200,
    fresh: true,
  }),
} as const;
