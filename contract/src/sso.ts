import { z } from 'zod';
import { signedIn, userRoles } from './auth.ts';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { emptiedByNull, id, idParams, optionalId, pageQuery, text, time, unlessNothing } from './fields.ts';
import { domainForm } from './tenants.ts';

/** The rights that the members of a group at the provider have here. The group `*` is everyone who signs in. */
export const ssoMapping = z
  .object({
    group: z.string().trim().min(1).max(200),
    role: z.enum([...userRoles, 'member']),
    /** The location of a member, and the role there. */
    location_id: optionalId,
    role_id: optionalId,
  })
  .superRefine((it, context) => {
    if (it.role !== 'member') return;
    for (const field of ['location_id', 'role_id'] as const)
      if (!it[field]) context.addIssue({ code: 'custom', path: [field], message: 'required' });
  })
  .transform(it => ({
    group: it.group,
    role: it.role,
    location_id: it.role === 'member' ? (it.location_id ?? null) : null,
    role_id: it.role === 'member' ? (it.role_id ?? null) : null,
  }));
export type SsoMapping = z.output<typeof ssoMapping>;

const issuer = z.url({ protocol: /^https?$/ }).max(500);

/** Sign-in through the tenant's own identity provider (OpenID Connect). */
const ssoFields = z.object({
  enabled: z.boolean(),
  /** The name on the button, such as `Entra ID`. */
  label: z.string().trim().min(1).max(40),
  issuer,
  client_id: z.string().trim().min(1).max(255),
  /** Kept when it is left out, unless the issuer changes. */
  client_secret: unlessNothing(z.string().min(1).max(1000).optional()),
  /** The e-mail domains of the people who may sign in: proven domains of the tenant. */
  domains: z.array(domainForm.shape.host).min(1).max(50),
  /** The claim with the groups. Dots lead into an object: `realm_access.roles`. */
  groups_claim: text.min(1).default('groups'),
  /** In this order. Without any, rights are given here by hand. */
  mappings: emptiedByNull(z.array(ssoMapping).max(200), []).default([]),
  /** Whether people without an account get one when their groups give them rights. */
  create_accounts: z.boolean().default(false),
  /** Only the emergency account signs in with a password or a passkey. */
  enforced: z.boolean().default(false),
  /** A tenant administrator with a password. */
  emergency_user_id: optionalId,
});
export const ssoForm = ssoFields.superRefine((it, context) => {
  const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (it.enforced && !it.enabled) wrong('enforced', 'sso_disabled');
  if (it.enforced && !it.emergency_user_id) wrong('emergency_user_id', 'required');
  if (it.create_accounts && it.mappings.length === 0) wrong('create_accounts', 'sso_mappings');
});
export type SsoForm = z.output<typeof ssoForm>;
/** Omitted fields keep their value: a change of the name does not end the enforcement. The result is a whole `ssoForm`. */
const ssoChange = changeOf(ssoFields);
export type SsoChange = z.output<typeof ssoChange>;

export const ssoProvider = z.object({
  enabled: z.boolean(),
  label: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  domains: z.array(z.string()),
  groups_claim: z.string(),
  mappings: z.array(
    z.object({
      group: z.string(),
      role: z.enum([...userRoles, 'member']),
      location_id: id.nullable(),
      role_id: id.nullable(),
    }),
  ),
  create_accounts: z.boolean(),
  enforced: z.boolean(),
  emergency_user_id: id.nullable(),
  /** The last sign-in with this issuer and client; null: not yet, so it cannot be enforced. */
  proven_at: time.nullable(),
  updated_at: time,
});
export type SsoProvider = z.output<typeof ssoProvider>;

export const ssoSettings = z.object({
  provider: ssoProvider.nullable(),
  /** To be registered at the provider: one for each host name of the panel. */
  redirect_uris: z.array(z.string()),
});
export type SsoSettings = z.output<typeof ssoSettings>;

/** An account at a provider and its account here. */
export const ssoLink = z.object({
  id,
  user: z.object({ id, full_name: z.string(), email: z.string() }),
  issuer: z.string(),
  /** The address that the provider gave last. */
  email: z.string().nullable(),
  created_at: time,
  last_used_at: time,
});
export type SsoLink = z.output<typeof ssoLink>;

/** The query of the address to which the provider sent the browser back. */
export const ssoAnswer = z.object({ query: z.string().max(8000) });

export const ssoApi = {
  begin: endpoint({
    method: 'POST',
    path: '/v1/user/sso',
    access: 'public',
    summary: 'Start a sign-in through the identity provider; returns its address and binds the answer to this browser',
    reply: one(z.object({ url: z.string() })),
    status: 200,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/v1/user/sso/finish',
    access: 'public',
    summary: 'Sign in with the answer of the identity provider',
    refusals: [403],
    body: ssoAnswer,
    reply: one(signedIn),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/sso',
    access: 'read-tenant',
    summary: 'The identity provider of the tenant',
    reply: one(ssoSettings),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/v1/panel/tenant/sso',
    access: 'tenant-admin',
    summary: 'Set the identity provider of the tenant; it must answer',
    description:
      'Enforcing it ends the sign-ins with passwords and passkeys, but for the emergency account. It can be enforced once a user has signed in through the provider.',
    body: ssoChange,
    reply: one(ssoSettings),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/sso',
    access: 'tenant-admin',
    summary: 'Remove the identity provider of the tenant; accounts stay',
    reply: 'none',
  }),
  links: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/sso/links',
    access: 'read-tenant',
    summary: 'Accounts that sign in through an identity provider',
    query: z.object({ ...pageQuery(), search: text.optional() }),
    reply: page(ssoLink),
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/sso/links/:id',
    access: 'tenant-admin',
    summary: 'Separate an account from its account at the provider; ends its sign-ins through the provider',
    params: idParams,
    reply: 'none',
  }),
} as const;
