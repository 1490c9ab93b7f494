import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { email, id, idParams, name, password, phone, shortPageQuery, text, time, unlessNothing } from './fields.ts';
import { passkeyAnswer } from './passkey-shapes.ts';
import { portalLanguages } from './portal-languages.ts';

export const invitationToken = z.object({ token: z.string().min(1).max(200) });

export const userRoles = ['tenant-admin', 'reseller', 'auditor'] as const;

/** The signed-in user. */
export const authUser = z.object({
  id,
  hid: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  is_team_admin: z.boolean(),
  can_create_location: z.boolean(),
  role: z.enum([...userRoles, 'member']),
  total_devices: z.number(),
  total_portals: z.number(),
  permissions: z.array(z.string()),
  roles: z.array(z.object({ id, name: z.string(), guard_name: z.string() })),
  active_location: z.object({ id, name: z.string() }).nullable(),
  locations: z.array(z.object({ id, name: z.string(), time_zone: z.string() })),
  /** The time zone of days: the active location's, else the product's default. */
  time_zone: z.string(),
  deviceIds: z.array(id).nullable(),
  language: z.enum(['tr', 'en']),
  /** False: nothing that they enter is sent to others by mail or SMS. */
  email_confirmed: z.boolean(),
  /** A new address that is not confirmed yet. */
  pending_email: z.string().nullable(),
  /** `required`: the tenant requires a second factor; without one, nothing else is allowed. */
  two_factor: z.object({
    /** By an app or a passkey. */
    enabled: z.boolean(),
    app: z.boolean(),
    passkeys: z.number(),
    required: z.boolean(),
    recovery_codes: z.number(),
  }),
});
export type AuthUser = z.output<typeof authUser>;

/**
 * The second factor, if the account has one. `code`: six digits of the authenticator app or a recovery code. Instead of
 * it `passkey`: the response to options that were requested with the same e-mail and password.
 */
const secondFactor = z.string().trim().max(32).optional();
export const typedPassword = z.string().min(1).max(200);
export const login = z.object({
  email,
  password: typedPassword,
  code: secondFactor,
  passkey: passkeyAnswer.optional(),
});
export const signedIn = z.object({ token: z.string(), user: authUser });

const perLanguage = z.partialRecord(z.enum(portalLanguages), z.string());

/** The brand on the screens before sign-in (document 1, section 3). */
export const tenantConfig = z.object({
  slug: z.string(),
  variant: z.enum(['standard', 'reseller']),
  /** The host name is another tenant's own: a page there must not show this tenant. */
  foreign_host: z.boolean(),
  captive_url: z.string(),
  languages: z.array(z.string()),
  password_min: z.number(),
  /** Who may register: everyone, or invited people only. */
  registration: z.enum(['open', 'invitation']),
  /** The identity provider that people sign in through, by the name on its button; null: none. */
  sso: z.string().nullable(),
  brand: z.object({ name: z.string(), long_name: z.string(), primary_color: z.string() }),
  landing: z.object({
    logo: z.object({ src: z.string().nullable() }),
    title: perLanguage,
    description: perLanguage,
    background: z.string().nullable(),
    bottom: z.object({ image: z.object({ src: z.string().nullable() }), copyright: perLanguage }),
  }),
  login: z.object({ image: z.object({ src: z.string().nullable() }), title: perLanguage, description: perLanguage }),
});
export type TenantConfig = z.output<typeof tenantConfig>;

/**
 * With the token of an invitation, the user joins its location. Without one, they get their own location with this
 * name.
 */
export const register = z
  .object({
    first_name: name,
    last_name: name,
    location_name: unlessNothing(name.optional()),
    email,
    phone_number: phone,
    password,
    invite_token: unlessNothing(z.string().max(200).optional()),
  })
  .refine(it => it.invite_token !== undefined || it.location_name !== undefined, {
    path: ['location_name'],
    message: 'required',
    // Reported together with the other fields, not after them.
    when: () => true,
  });
export type Register = z.output<typeof register>;

/** The form of an invited person. */
export const join = z.object({
  first_name: name,
  last_name: name,
  email,
  phone_number: phone,
  password,
  invite_token: z.string().min(1).max(200),
});

const samePasswords = (
  it: { password?: string | undefined; password_confirmation?: string | undefined },
  context: z.RefinementCtx,
): void => {
  if (it.password !== it.password_confirmation)
    context.addIssue({ code: 'custom', path: ['password_confirmation'], message: 'password_match' });
};

export const forgotPassword = z.object({ email });
/** The browser that requested the code may omit `email`. */
export const resetPassword = z
  .object({
    email: email.optional(),
    code: z.string().trim().min(1).max(16),
    password,
    password_confirmation: z.string().min(1).max(200),
  })
  .superRefine(samePasswords);

/** Signs in while accepting an invitation. A signed-in user does not need it. */
export const acceptInvitation = z
  .object({ password: typedPassword, code: secondFactor, passkey: passkeyAnswer })
  .partial();

/** The secret of a new second factor: as text, as a URI for an app, and as a QR code of the URI. */
export const twoFactorSetup = z.object({ secret: z.string(), uri: z.string(), qr: z.string() });
export const twoFactorCode = z.object({ code: z.string().trim().min(1).max(32) });
export const currentPassword = z.object({ password: typedPassword });

/**
 * A new e-mail or password takes the `current_password`. A new e-mail takes effect when its link is opened.
 * The settings page sends the names and addresses, the security page the password.
 */
export const account = z
  .object({
    first_name: name,
    last_name: name,
    email,
    phone_number: phone,
    password,
    password_confirmation: z.string(),
    current_password: z.string(),
    language: z.enum(['tr', 'en']),
  })
  .partial()
  .superRefine((it, context) => {
    if (it.password !== undefined) samePasswords(it, context);
  });
export type Account = z.output<typeof account>;

export const token = z.object({
  id,
  current: z.boolean(),
  name: z.string(),
  ip: z.string().nullable(),
  /** The network of the address: the caller's own, another private one, or a public one. */
  network: z.enum(['here', 'local', 'elsewhere']).nullable(),
  user_agent: z.string(),
  created_at: time,
  last_used_at: time,
  expires_at: time,
});

export const authApi = {
  config: endpoint({
    method: 'GET',
    path: '/v1/config',
    access: 'public',
    summary: "The tenant's branding",
    reply: one(tenantConfig),
  }),
  login: endpoint({
    method: 'POST',
    path: '/v1/user/login',
    access: 'public',
    refusals: [403],
    summary:
      'Sign in; 422 with the code two_factor_required when a second factor is missing; the errors name the accepted ones: `code`, `passkey` or both',
    body: login,
    reply: one(signedIn),
    status: 200,
  }),
  register: endpoint({
    method: 'POST',
    path: '/v1/user/register',
    access: 'public',
    summary: 'Register a user with a new location, or an invited user',
    refusals: [403],
    body: register,
    reply: one(z.object({ tenant: tenantConfig })),
    status: 201,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/v1/user/forgot-password',
    access: 'public',
    summary: 'Mail a code for a new password; the response is the same for every address',
    body: forgotPassword,
    reply: 'none',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/v1/user/reset-password',
    access: 'public',
    summary: 'Set a new password with the mailed code (15 minutes, five tries); ends every sign-in',
    body: resetPassword,
    reply: 'none',
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/v1/team/accept/:token',
    access: 'public',
    summary: 'Accept an invitation by its link, as the signed-in invited user or with their password',
    refusals: [403],
    params: invitationToken,
    body: acceptInvitation,
    reply: one(z.object({ token: z.string().nullable(), user: authUser })),
    status: 200,
  }),
  acceptInvite: endpoint({
    method: 'POST',
    path: '/v1/panel/user/invite/accept/:id',
    access: 'signed-in',
    summary: 'Accept an invitation of the caller',
    params: idParams,
    reply: one(authUser),
    status: 200,
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/v1/visitor/confirm-email',
    access: 'public',
    summary: 'Confirm the e-mail address of a visitor, or of a signed-in panel user',
    refusals: [403],
    body: z.object({ token: z.string().min(1).max(200), email }),
    reply: one(z.object({ email: z.string(), kind: z.enum(['visitor', 'user']) })),
    status: 200,
  }),
  sendConfirmation: endpoint({
    method: 'POST',
    path: '/v1/panel/user/confirm-email',
    access: 'signed-in',
    summary: "Send the link that confirms the caller's e-mail address again",
    reply: 'none',
  }),
  twoFactor: endpoint({
    method: 'POST',
    path: '/v1/panel/user/two-factor',
    access: 'signed-in',
    summary: 'Create the secret of a second factor; it is active once confirmed',
    body: currentPassword,
    reply: one(twoFactorSetup),
    status: 200,
    fresh: true,
  }),
  confirmTwoFactor: endpoint({
    method: 'POST',
    path: '/v1/panel/user/two-factor/confirm',
    access: 'signed-in',
    summary: 'Activate the second factor with its first code; returns recovery codes, shown once',
    body: twoFactorCode,
    reply: one(z.object({ recovery_codes: z.array(z.string()), user: authUser })),
    status: 200,
  }),
  deleteTwoFactor: endpoint({
    method: 'DELETE',
    path: '/v1/panel/user/two-factor',
    access: 'signed-in',
    summary: 'Remove the second factor; requires the password',
    body: currentPassword,
    reply: one(authUser),
    status: 200,
  }),
  recoveryCodes: endpoint({
    method: 'POST',
    path: '/v1/panel/user/recovery-codes',
    access: 'signed-in',
    summary: 'Replace the recovery codes of the second factor; requires the password, returns the new codes once',
    body: currentPassword,
    reply: one(z.object({ recovery_codes: z.array(z.string()), user: authUser })),
    status: 200,
    fresh: true,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v1/user/logout',
    access: 'signed-in',
    summary: 'Sign out',
    reply: 'none',
  }),
  me: endpoint({
    method: 'GET',
    path: '/v1/panel/user/me',
    access: 'signed-in',
    summary: 'The signed-in user',
    reply: one(authUser),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/me',
    access: 'signed-in',
    summary: 'Change the account of the caller',
    body: account,
    reply: z.object({ data: authUser, message: authUser }),
  }),
  changeTeam: endpoint({
    method: 'POST',
    path: '/v1/panel/user/team/change/:id',
    access: 'signed-in',
    summary: 'Change the active location',
    params: z.object({ id: z.union([id, z.literal('all')]) }),
    reply: one(authUser),
    status: 200,
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/v1/oauth/tokens',
    access: 'signed-in',
    summary: 'Sign-ins of the caller',
    query: z.object(shortPageQuery()),
    reply: page(token),
  }),
  deleteToken: endpoint({
    method: 'DELETE',
    path: '/v1/oauth/tokens/:id',
    access: 'signed-in',
    summary: 'End a sign-in; `current` is that of this request',
    params: z.object({ id: z.union([id, z.literal('current')]) }),
    reply: 'none',
  }),
  events: endpoint({
    method: 'GET',
    path: '/v1/panel/events',
    access: 'signed-in',
    summary: 'Server-sent events: the topics of changed data',
    query: z.object({ topics: text.optional() }),
    reply: 'events',
  }),
} as const;
