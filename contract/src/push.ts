import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, time } from './fields.ts';
import { hasNoUser } from './web-address.ts';

/** Bytes as base64url, as `PushSubscription.toJSON()` gives them. */
const bytes = (length: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'invalid')
    .refine(it => Math.floor((it.replace(/=+$/, '').length * 3) / 4) === length, 'invalid');

/** The address at the push service of the browser. */
const address = z
  .string()
  .max(1000)
  .refine(it => URL.parse(it)?.protocol === 'https:', { error: 'https_link', abort: true })
  .refine(hasNoUser, 'link_user');

/** A browser that shows notifications of its user, though the panel is closed (Web Push, RFC 8030). */
export const pushBrowser = z.object({
  id,
  /** Such as `Chrome, Windows`. */
  name: z.string(),
  /** The host of its push service. */
  service: z.string(),
  /** SHA-256 of the address, hexadecimal: a browser finds itself in the list by it. */
  fingerprint: z.string(),
  /** Why the last notification was not accepted. */
  problem: z.enum(['unreachable', 'refused']).nullable(),
  created_at: time,
  sent_at: time.nullable(),
});
export type PushBrowser = z.output<typeof pushBrowser>;

export const pushForm = z.object({
  endpoint: address,
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
});
export type PushForm = z.output<typeof pushForm>;

export const pushApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/user/push',
    access: 'signed-in',
    summary:
      'Browsers that show the caller’s notifications; `public_key` is the `applicationServerKey` to subscribe with',
    reply: one(z.object({ public_key: z.string(), browsers: z.array(pushBrowser) })),
  }),
  put: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/push',
    access: 'signed-in',
    summary: 'Show notifications in the browser of this subscription',
    description:
      'For signed-in people; personal access tokens are refused. The address must be public and use https. It belongs to the user who sent it last. ' +
      'Signing out in this browser ends it.',
    body: pushForm,
    reply: one(pushBrowser),
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/user/push/:id',
    access: 'signed-in',
    summary: 'Show no more notifications in a browser',
    params: idParams,
    reply: 'none',
  }),
} as const;
