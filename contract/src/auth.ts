import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { portalLanguages } from './errors.ts';
import { email, id, name, password, phone, text, time } from './fields.ts';

export const userRoles = ['tenant-admin', 'reseller', 'auditor'] as const;

/** The signed-in user, as every screen knows it. */
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
  locations: z.array(z.object({ id, name: z.string() })),
  deviceIds: z.array(id).nullable(),
  language: z.enum(['tr', 'en']),
});
export type AuthUser = z.output<typeof authUser>;

export const login = z.object({ email, password: z.string().min(1).max(200) });

const perLanguage = z.partialRecord(z.enum(portalLanguages), z.string());

/** What brands the screens before sign-in (document 1, section 3). */
export const tenantConfig = z.object({
  slug: z.string(),
  variant: z.enum(['standard', 'reseller']),
  captive_url: z.string(),
  languages: z.array(z.string()),
  password_min: z.number(),
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

export const register = z.object({
  first_name: name,
  last_name: name,
  location_name: name,
  email,
  phone_number: phone,
  password,
});

/** The settings page sends the names and addresses, the security page the password: each its own part. */
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
    if (it.password === undefined && it.language === undefined)
      for (const field of ['first_name', 'last_name', 'email', 'phone_number'] as const)
        if (it[field] === undefined) context.addIssue({ code: 'custom', path: [field], message: 'required' });
    if (it.password !== undefined && it.password !== it.password_confirmation)
      context.addIssue({ code: 'custom', path: ['password_confirmation'], message: 'password_match' });
  });
export type Account = z.output<typeof account>;

export const token = z.object({
  id,
  current: z.boolean(),
  name: z.string(),
  ip: z.string().nullable(),
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
    summary: 'Sign in',
    body: login,
    reply: one(z.object({ token: z.string(), user: authUser })),
    status: 200,
  }),
  register: endpoint({
    method: 'POST',
    path: '/v1/user/register',
    access: 'public',
    summary: 'Register a user with a first location',
    body: register,
    reply: one(z.object({ tenant: tenantConfig })),
    status: 201,
  }),
  logout: endpoint({ method: 'POST', path: '/v1/user/logout', access: 'signed-in', summary: 'Sign out', reply: 'none' }),
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
    summary: "Change one's own account",
    body: account,
    reply: z.object({ data: authUser, message: authUser }),
  }),
  changeTeam: endpoint({
    method: 'POST',
    path: '/v1/panel/user/team/change/:id',
    access: 'signed-in',
    summary: 'Work in another location',
    params: z.object({ id: z.union([id, z.literal('all')]) }),
    reply: one(authUser),
    status: 200,
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/v1/oauth/tokens',
    access: 'signed-in',
    summary: "One's sign-ins",
    reply: z.object({ data: z.array(token) }),
  }),
  deleteToken: endpoint({
    method: 'DELETE',
    path: '/v1/oauth/tokens/:id',
    access: 'signed-in',
    summary: 'End a sign-in; `current` is the one in use',
    params: z.object({ id: z.union([id, z.literal('current')]) }),
    reply: 'none',
  }),
  events: endpoint({
    method: 'GET',
    path: '/v1/panel/events',
    access: 'signed-in',
    summary: 'Server-sent events: what changed, by topic',
    query: z.object({ topics: text.optional() }),
    reply: 'events',
  }),
} as const;
