import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, name, time, whole } from './fields.ts';
import { type Permission, permissions } from './permissions.ts';

const permission = z.enum(permissions as [Permission, ...Permission[]]);

/** A token for the user's own software. It has the chosen permissions as long as its owner has them, and is shown once. */
export const personalToken = z.object({
  id,
  name: z.string(),
  permissions: z.array(permission),
  /** Null: all locations of its owner. */
  location: z.object({ id, name: z.string() }).nullable(),
  created_at: time,
  last_used_at: time.nullable(),
  expires_at: time,
});
export type PersonalToken = z.output<typeof personalToken>;

/** Default of the location: the active one for members, all visible ones for other users. */
export const personalTokenForm = z.object({
  name,
  permissions: z.array(permission).min(1),
  location_id: id.nullish(),
  days: whole(1, 365).default(90),
});

export const tokensApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/user/token',
    access: 'signed-in',
    summary: 'Personal access tokens of the caller',
    reply: z.object({ data: z.array(personalToken) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/user/token',
    access: 'signed-in',
    summary: 'Create a personal access token; it is returned only here',
    body: personalTokenForm,
    reply: one(personalToken.extend({ token: z.string() })),
    status: 201,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/user/token/:id',
    access: 'signed-in',
    summary: 'Revoke a personal access token',
    params: idParams,
    reply: 'none',
  }),
} as const;
