import { z } from 'zod';
import { authUser, currentPassword, signedIn, typedPassword } from './auth.ts';
import { endpoint, one } from './endpoint.ts';
import { email, id, idParams, name, time } from './fields.ts';
import { newPasskey, passkeyAnswer, passkeyCreation, passkeyRequest } from './passkey-shapes.ts';

export const passkey = z.object({
  id,
  name: z.string(),
  /** The host name of the panel where it works. */
  host: z.string(),
  /** Whether it can be used on the host name of this request. */
  here: z.boolean(),
  created_at: time,
  last_used_at: time.nullable(),
});
export type Passkey = z.output<typeof passkey>;

export const passkeyName = z.object({ name });

export const passkeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/user/passkey',
    access: 'signed-in',
    summary: 'Passkeys of the caller',
    reply: z.object({ data: z.array(passkey) }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/v1/panel/user/passkey/options',
    access: 'signed-in',
    summary: 'Start adding a passkey; requires the password, returns the options for the browser',
    body: currentPassword,
    reply: one(passkeyCreation),
    status: 200,
    fresh: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/user/passkey',
    access: 'signed-in',
    summary: 'Add the passkey that the browser created; returns recovery codes if it is the first second factor',
    body: z.object({ name: name.optional(), passkey: newPasskey }),
    reply: one(z.object({ passkey, recovery_codes: z.array(z.string()).nullable(), user: authUser })),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/passkey/:id',
    access: 'signed-in',
    summary: 'Rename a passkey',
    params: idParams,
    body: passkeyName,
    reply: one(passkey),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/user/passkey/:id',
    access: 'signed-in',
    summary: 'Remove a passkey; requires the password',
    params: idParams,
    body: currentPassword,
    reply: one(authUser),
    status: 200,
  }),
  signInOptions: endpoint({
    method: 'POST',
    path: '/v1/user/passkey/options',
    access: 'public',
    summary: 'Start a sign-in with a passkey; with e-mail and password, as the second factor of that account',
    refusals: [403],
    body: z.object({ email: email.optional(), password: typedPassword.optional() }),
    reply: one(passkeyRequest),
    status: 200,
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/v1/user/passkey',
    access: 'public',
    summary: 'Sign in with a passkey instead of the password',
    refusals: [403],
    body: z.object({ passkey: passkeyAnswer }),
    reply: one(signedIn),
    status: 200,
  }),
} as const;
