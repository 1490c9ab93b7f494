import { z } from 'zod';
import { userRoles } from './auth.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  email,
  emptiedByNull,
  id,
  idParams,
  name,
  pageQuery,
  password,
  phone,
  text,
  time,
  unlessEmpty,
  unlessNothing,
  whole,
} from './fields.ts';
import { perLanguage } from './portal-messages.ts';
import { timeZone } from './time-zones.ts';

export const color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'color_format');

/** One colour, or a linear gradient of two. Other values are refused, because it is used in a style sheet. */
export const gradientPattern =
  /^(#[0-9a-f]{6}|linear-gradient\((\d{1,3}deg, ?)?#[0-9a-f]{6}(?: \d{1,3}%)?, ?#[0-9a-f]{6}(?: \d{1,3}%)?\))$/;

const slogan = perLanguage(500);
const background = z.string().trim().toLowerCase().max(200).regex(gradientPattern, 'gradient_format').nullable();
/** The URL of a picture that POST panel/tenant/images returned. */
const picture = z.string().max(300).nullable();

export const tenantForm = z.object({
  brand_name: name,
  brand_long_name: name,
  primary_color: color,
  landing_logo: picture,
  /** Left empty: none. */
  landing_background: unlessEmpty(background),
  landing_background_image: picture,
  /** Beside the copyright. */
  landing_bottom_image: picture,
  landing_title: slogan,
  landing_slogan: slogan,
  landing_copyright: slogan,
  password_min: whole(6, 64),
  require_second_factor: z.boolean(),
  /** Minutes without requests after which a sign-in ends. Null: the default of the installation. */
  idle_minutes: unlessEmpty(whole(5, 43_200).nullable()),
  /** The time zone of new locations, and of figures that span several locations. */
  time_zone: timeZone,
  registration: z.enum(['open', 'invitation']),
});
export type TenantForm = z.output<typeof tenantForm>;
const texts = emptiedByNull(slogan, {});

export const tenantSettings = tenantForm.extend({ id, slug: z.string(), created_at: time, updated_at: time });
export type TenantSettings = z.output<typeof tenantSettings>;

/** A user who manages the tenant. */
export const tenantUser = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  role: z.enum(userRoles),
  two_factor: z.boolean(),
  locations: z.number(),
  /** The customers of a reseller, at most the newest thousand. */
  location_ids: z.array(id),
  created_at: time,
});
export type TenantUser = z.output<typeof tenantUser>;

export const tenantUserForm = z.object({
  first_name: name,
  last_name: name,
  email,
  phone_number: emptiedByNull(phone.or(z.literal('')), '').optional(),
  password,
  /** Without one, the user reads and changes nothing. */
  role: z.enum(userRoles).default('auditor'),
});
/** An omitted password is kept. `location_ids`: all locations of a reseller. */
export const tenantUserChange = tenantUserForm
  .extend({
    password: unlessNothing(password.optional()),
    role: z.enum(userRoles),
    location_ids: emptiedByNull(z.array(id).max(1000), []),
  })
  .partial();

/** A host name of the tenant. It is active while `verified_at` is set: from when its DNS record was found until the record has been missing for some days. */
export const domain = z.object({
  host: z.string(),
  variant: z.enum(['standard', 'reseller']),
  created_at: time,
  verified_at: time.nullable(),
  /** When the domain stops leading to the tenant; null while its record is in the DNS. */
  stops_at: time.nullable(),
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
});
export type Domain = z.output<typeof domain>;
export const domainForm = z.object({
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^(?=.*[a-z])([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/, 'domain_format'),
  variant: z.enum(['standard', 'reseller']).default('standard'),
});

export const tenantsApi = {
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant',
    access: 'read-tenant',
    summary: 'Settings of the tenant',
    reply: one(tenantSettings),
  }),
  update: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant',
    access: 'tenant-admin',
    summary: 'Change the settings of the tenant',
    body: tenantForm
      .extend({ landing_title: texts, landing_slogan: texts, landing_copyright: texts })
      .partial()
      .required({ brand_name: true, brand_long_name: true }),
    reply: one(tenantSettings),
    status: 200,
  }),
  uploadImage: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/images',
    access: 'tenant-admin',
    summary: 'Upload a logo or background; the returned URL is used in the settings',
    upload: { maxBytes: 2_097_152 },
    body: z.object({ collection: z.literal('tenant-brands') }),
    reply: one(z.object({ url: z.string(), width: z.number(), height: z.number() })),
    status: 201,
  }),
  domains: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/domains',
    access: 'read-tenant',
    summary: 'Host names of the tenant',
    reply: z.object({ data: z.array(domain) }),
  }),
  createDomain: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/domains',
    access: 'tenant-admin',
    summary: 'Add a host name; it is active once its DNS record was found; the reseller variant hides licences',
    body: domainForm,
    reply: one(domain),
    status: 201,
  }),
  checkDomain: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/domains/:host/check',
    access: 'tenant-admin',
    summary: 'Check the TXT record of a host name and activate it',
    params: z.object({ host: z.string().trim().toLowerCase().max(253) }),
    reply: one(domain),
    status: 200,
  }),
  deleteDomain: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/domains/:host',
    access: 'tenant-admin',
    summary: 'Remove a host name',
    params: z.object({ host: z.string().trim().toLowerCase().max(253) }),
    reply: 'none',
  }),
} as const;

export const tenantUsersApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/tenant/users',
    access: 'read-tenant',
    summary: 'Tenant administrators, resellers and auditors',
    query: z.object({ ...pageQuery(), search: text.optional() }),
    reply: page(tenantUser),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/tenant/users',
    access: 'tenant-admin',
    summary: 'Create a tenant administrator, reseller or auditor',
    body: tenantUserForm,
    reply: one(tenantUser),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/tenant/users/:id',
    access: 'tenant-admin',
    summary: 'Change a tenant administrator, reseller or auditor',
    params: idParams,
    body: tenantUserChange,
    reply: one(tenantUser),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/tenant/users/:id',
    access: 'tenant-admin',
    summary: 'Remove a tenant administrator, reseller or auditor; memberships of locations stay',
    params: idParams,
    reply: 'none',
  }),
} as const;
