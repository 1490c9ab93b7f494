import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { calendarDay, id, text } from './fields.ts';
import { locationServices } from './visitor-kinds.ts';

/** The minimum length. A shorter text would match nearly everything. */
export const shortestSearch = 2;

/** `session`: a device that is online; `past`: a session that has ended; `client`: a device that was online before; `batch`: a group of vouchers; `failed`: failed sign-ins of a guest device, or with a name that no visitor has. */
export const hitKinds = [
  'visitor',
  'session',
  'past',
  'client',
  'device',
  'portal',
  'batch',
  'location',
  'failed',
] as const;

/** A found record. `detail` distinguishes it from others with the same title. */
export const searchHit = z.object({
  kind: z.enum(hitKinds),
  /** The record's id; of a `client` its MAC address; of `failed` that of its location. */
  id: z.string(),
  title: z.string(),
  detail: z.string().nullable(),
  location: z.object({ id, name: z.string() }).nullable(),
  /** Only sessions have it. False: the gateway takes no command, so the session can't be ended from here. */
  endable: z.boolean().optional(),
  /** Only visitors have it: whether their location serves guests. */
  service: z.enum(locationServices).optional(),
  /** Only past sessions have it: the day on which the session began, by the clock of its location. */
  day: calendarDay.optional(),
});
export type SearchHit = z.output<typeof searchHit>;

export const searchApi = {
  find: endpoint({
    method: 'GET',
    path: '/v1/panel/search',
    access: 'signed-in',
    summary:
      'Visitors, sessions (by MAC, IP or Acct-Session-Id), devices, portals, voucher batches, locations and failed sign-ins (by MAC or the typed name) that match a text, in every location that the caller may see',
    query: z.object({ search: text.default('') }),
    reply: z.object({ data: z.array(searchHit) }),
  }),
} as const;
