import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import {
  decimal,
  emptiedByNull,
  expectedEnd,
  externalId,
  externalIdParams,
  id,
  idParams,
  mac,
  moment,
  name,
  notDeleted,
  numeric,
  optionalId,
  pageQuery,
  similar,
  text,
  time,
  whole,
} from './fields.ts';
import { locationOrders } from './list-orders.ts';
import { portalPeriods, shownPeriod } from './portal-periods.ts';
import { timeZone } from './time-zones.ts';

/** The sign-in methods of a portal, in their default order. The documents name all but `voucher`. */
export const providerSlugs = ['citizen-id', 'room-number', 'sms', 'username', 'temp', 'email', 'voucher'] as const;
/** How many messages a location may send (document 1, section 2.5). */
export const smsPackages = [100, 500, 1000, 2000, 5000, 10_000] as const;
export const licenseFilters = ['all', 'in_demo', 'suspended', 'active'] as const;

/** Units may be sent as `GB` or `gb`. */
const unit = <const U extends readonly [string, ...string[]]>(units: U) =>
  z.preprocess<unknown, z.ZodEnum<z.core.util.ToEnum<U[number]>>, U[number]>(
    sent => (typeof sent === 'string' ? sent.toLowerCase() : sent),
    z.enum(units),
  );

const sessionSettings = {
  time_limit: whole(1, 30),
  time_limit_unit: unit(['minute', 'hour', 'day']),
  time_limit_enabled: z.boolean(),
  /** Parts are allowed, such as 1.5 GB: document 2 bounds the number only. */
  daily_bandwidth: decimal(1, 1024),
  daily_bandwidth_unit: unit(['mb', 'gb']),
  daily_bandwidth_enabled: z.boolean(),
  download_limit: decimal(0, 100_000),
  download_limit_enabled: z.boolean(),
  upload_limit: decimal(0, 100_000),
  upload_limit_enabled: z.boolean(),
  mac_whitelist: z.array(mac).max(1000),
  mac_whitelist_enabled: z.boolean(),
  mac_blacklist: z.array(mac).max(1000),
  mac_blacklist_enabled: z.boolean(),
};

/** A venue: also the customer of a reseller, and the team its members work in. Download and upload limits are in Mbit/s. */
export const location = z.object({
  id,
  /** Its id in another system, see `by-external-id`. */
  external_id: z.string().nullable(),
  name: z.string(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  district: z.string().nullable(),
  address: z.string(),
  time_zone: z.string(),
  portal_id: id.nullable(),
  portal: z.object({ id, name: z.string() }).nullable(),
  /** When another portal is shown, by the clocks of the location. The portal of a network or a device comes first. */
  portal_periods: z.array(shownPeriod),
  default_profile_id: id.nullable(),
  available_providers: z.array(z.string()),
  sms_limit: z.number(),
  sms_used: z.number(),
  license_end_at: time.nullable(),
  is_trial: z.boolean(),
  license_remain: z.number(),
  trial_remain: z.number(),
  /** Suspended by hand, and by whom: guests cannot sign in, even with a licence. */
  suspended_at: time.nullable(),
  suspended_by: z.enum(['reseller', 'tenant-admin']).nullable(),
  ...sessionSettings,
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
});
export type Location = z.output<typeof location>;

const optional = <S extends z.ZodRawShape>(shape: S) => z.object(shape).partial().shape;

/** The body of a location. Session settings are optional, so that each form sends its own part. */
export const locationForm = z.object({
  name,
  country: text.nullish(),
  city: text.nullish(),
  district: text.nullish(),
  time_zone: timeZone.optional(),
  portal_id: optionalId,
  portal_periods: emptiedByNull(portalPeriods, []).optional(),
  default_profile_id: optionalId,
  available_providers: emptiedByNull(
    z.array(z.enum(providerSlugs)).transform(list => [...new Set(list)]),
    [],
  ).optional(),
  /** Without SMS nothing is chosen. */
  sms_limit: z.preprocess(sent => sent ?? undefined, whole(0, 1_000_000).optional()),
  ...optional(sessionSettings),
  mac_whitelist: emptiedByNull(sessionSettings.mac_whitelist, []).optional(),
  mac_blacklist: emptiedByNull(sessionSettings.mac_blacklist, []).optional(),
});
export type LocationForm = z.output<typeof locationForm>;

/** A location always has an SMS package, so a change cannot clear it. */
const locationChange = locationForm.extend({ sms_limit: whole(0, 1_000_000) }).partial();

/** Counts of what is deleted with a location. `deletable`: whether the caller may delete it. */
export const locationContents = z.object({
  devices: z.number(),
  visitors: z.number(),
  portals: z.number(),
  profiles: z.number(),
  administrators: z.number(),
  integrations: z.number(),
  online: z.number(),
  deletable: z.boolean(),
});
export type LocationContents = z.output<typeof locationContents>;

const choice = z.object({ id, name: z.string() });

/** What the forms of a location offer, by name. `is_paid`: the session profile is paid for. */
export const locationChoices = z.object({
  profiles: z.array(choice.extend({ is_paid: z.boolean() })),
  portals: z.array(choice),
  devices: z.array(choice),
});
export type LocationChoices = z.output<typeof locationChoices>;

/**
 * A licence until a time or the end of a day (in the location's zone), or for some years from now or from the current
 * end.
 */
export const licenseTerm = z
  .object({
    // Room for added years: RFC 3339 has four digits.
    license_end_at: moment.refine(text => text < '9000', 'date'),
    year: numeric(z.number()).pipe(z.literal([1, 2, 3])),
  })
  .partial()
  .refine(it => it.license_end_at !== undefined || it.year !== undefined, {
    path: ['license_end_at'],
    message: 'required',
  })
  .refine(it => it.license_end_at === undefined || it.year === undefined, { path: ['year'], message: 'end_or_years' });
export const licenseForm = licenseTerm.safeExtend({ expected_end_at: expectedEnd });

/** `warnings` names devices that are on both lists of MAC addresses. */
const savedLocation = one(location).extend({ warnings: z.array(z.string()) });

export const locationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location',
    access: 'signed-in',
    summary: 'Locations that the caller may see',
    query: z.object({
      ...pageQuery(9999),
      license: z.enum(licenseFilters).default('all'),
      name: text.optional(),
      search: text.optional(),
      similar,
      external_id: externalId.optional(),
      sort: z.enum(locationOrders).default('created'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    reply: page(location),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/location',
    access: 'create-location',
    summary: 'Create a location',
    body: locationForm,
    reply: savedLocation,
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id',
    access: 'signed-in',
    summary: 'One location',
    params: idParams,
    reply: one(location),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/:id',
    access: 'update-location',
    location: 'id',
    summary: 'Change a location',
    params: idParams,
    body: locationChange,
    reply: savedLocation,
  }),
  putByExternalId: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/by-external-id/:externalId',
    access: 'update-location',
    summary: 'Create the location with this id of another system, or change it',
    description:
      'A call can be repeated. Only signed-in resellers and tenant administrators create locations, no personal access tokens.',
    params: externalIdParams,
    body: locationChange,
    reply: savedLocation,
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/location/:id',
    access: 'update-location',
    location: 'id',
    summary: 'Delete a location with everything in it',
    params: idParams,
    reply: 'none',
  }),
  contents: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/contents',
    access: 'read-location',
    location: 'id',
    summary: 'The data that is deleted with a location',
    params: idParams,
    reply: one(locationContents),
  }),
  choices: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/choices',
    access: 'choose',
    location: 'id',
    summary: 'The session profiles, portals and devices that a form may refer to, by name',
    description:
      'Portals are for callers with `view-portals`, `update-devices` or `update-location`, devices for those with `view-devices` or `update-location`; others get empty lists.',
    params: idParams,
    reply: one(locationChoices),
  }),
  license: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/license',
    access: 'create-location',
    summary: 'License a location until a date, or for 1, 2 or 3 years',
    params: idParams,
    body: licenseForm,
    reply: one(location),
    status: 200,
  }),
} as const;
