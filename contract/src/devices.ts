import { z } from 'zod';
import { deviceCertificatesApi } from './device-certificates.ts';
import { deviceDoctorApi } from './device-doctor.ts';
import { hasSerialNumber } from './device-kinds.ts';
import { deviceSelectionApi } from './device-selection.ts';
import { deviceSetupApi } from './device-setup.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  byExternalIdOfLocation,
  emptiedByNull,
  expectedEnd,
  externalId,
  externalIdParams,
  id,
  idParams,
  locationRef,
  mac,
  name,
  notDeleted,
  numeric,
  optionalId,
  pageQuery,
  queryList,
  shortPageQuery,
  similar,
  text,
  time,
} from './fields.ts';
import { deviceOrders } from './list-orders.ts';
import { macsApi, networksApi } from './networks.ts';
import { portalPeriods, shownPeriod } from './portal-periods.ts';
import { profileForm } from './profiles.ts';
import { connectionForm, connectionShown, routerControlApi } from './router-control.ts';

export const deviceStatuses = ['online', 'offline'] as const;

export const brand = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  logo: z.string(),
  guides: z.array(z.object({ id: z.string(), title: z.string(), slug: z.string() })),
});
export type Brand = z.output<typeof brand>;
export const brandModel = z.object({ id, name: z.string(), slug: z.string(), logo: z.string() });
export type BrandModel = z.output<typeof brandModel>;

export const serialNumber = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9-]+$/, 'serial_format');

/** The rule of `mac_address` for a brand. */
export const deviceAddress = (brandSlug: string) => (hasSerialNumber(brandSlug) ? serialNumber : mac);

/** A RADIUS shared secret: long, and without characters that need quoting in a router script. */
export const deviceSecret = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);

const named = z.object({ id, name: z.string() });

/**
 * A device in lists. `status`: online if heard within 15 minutes, unless three polls or interims were missed since.
 * The licence fields are its own.
 */
export const device = z.object({
  id,
  /** Its id in another system, see `by-external-id`. */
  external_id: z.string().nullable(),
  name: z.string(),
  mac_address: z.string(),
  serial_number: z.string().nullable(),
  nas_identifier: z.string(),
  brand_id: id,
  brand,
  model_id: id.nullable(),
  location_id: id,
  location: named,
  status: z.enum(deviceStatuses),
  last_seen_at: time.nullable(),
  hotspot_status: z.boolean(),
  logging_enabled: z.boolean(),
  is_trial: z.boolean(),
  trial_day: z.number(),
  trial_remain: z.number(),
  license_remain: z.number(),
  license_end_at: time.nullable(),
  /** The time zone of the location, which determines the end of a licence day. */
  time_zone: z.string(),
  /** A licence or trial of the device or its location runs. Otherwise its service is stopped. */
  has_mikrolink_subscription: z.boolean(),
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
});
export type Device = z.output<typeof device>;

/** One device. `secret` only for users who may update devices; the password of its connection is never returned. */
export const deviceDetail = device.extend({
  model: brandModel.nullable(),
  secret: z.string().optional(),
  /** The secret was encrypted with another SECRET_KEY. The device needs a new one. */
  secret_unreadable: z.literal(true).optional(),
  /** `coa_port`: where the router listens for Disconnect and CoA. `radsec_port`: RADIUS over TLS; null: it is off. */
  radius: z.object({
    host: z.string(),
    auth_port: z.number(),
    acct_port: z.number(),
    coa_port: z.number(),
    radsec_port: z.number().nullable(),
  }),
  /** Where log lines go. `port`: UDP and TCP. `tls_port`: where a certificate of the device proves them; null: nowhere. */
  syslog: z.object({ host: z.string(), port: z.number(), tls_port: z.number().nullable() }),
  portal_url: z.string(),
  hotspot_address: z.string().nullable(),
  connection: connectionShown.nullable(),
  /** When the router last polled for commands; null: never. */
  polled_at: time.nullable(),
  router_version: z.string().nullable(),
  /**
   * A packet came in the name of the device, from this address, but was made with another shared secret. Null again once a later
   * packet fits. Any sender can make such a packet.
   */
  wrong_secret: z.object({ address: z.string(), at: time }).nullable(),
  /** The default session profile of the location. */
  user_profile: named.nullable(),
  /** When its guests see another portal than the location's. The portal of a network comes first. */
  portal_periods: z.array(shownPeriod),
  /** The portal of its location, and the periods of that. */
  location_portal: z.object({ portal: named.nullable(), periods: z.array(shownPeriod) }),
});
export type DeviceDetail = z.output<typeof deviceDetail>;

/** Without a port: the port has its own field, or the brand's default. */
const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:[\]-]+$/, 'host_format')
  .refine(it => !/^[^:]+:\d+$/.test(it), 'host_format');

/** A form with an unfilled connection sends these. */
const emptied = (sent: unknown): unknown =>
  typeof sent === 'object' && sent !== null && 'host' in sent && (sent.host === '' || sent.host === null) ? null : sent;

const deviceFields = {
  brand_id: id,
  model_id: optionalId,
  name,
  /** The serial number for brands without a MAC; its rule depends on the brand, see deviceAddress. */
  mac_address: z.string().trim().min(1).max(64),
  /** Tenant administrators only. */
  logging_enabled: z.boolean().optional(),
  hotspot_address: z
    .string()
    .nullish()
    .transform(value => (value === '' ? null : value))
    .pipe(host.nullish()),
  portal_periods: emptiedByNull(portalPeriods, []).optional(),
  /** Null, or with an empty host: none. */
  connection: z.preprocess(emptied, connectionForm.nullish()).optional(),
};

/** Of a device that has a connection, what is left out keeps its value. */
const changedConnection = { connection: z.preprocess(emptied, connectionForm.partial().nullish()).optional() };

/** The RADIUS secret, see deviceSecret. */
const sentSecret = z.string().max(200).nullish();

/** `user_profile` (first-time setup) creates a session profile for the location. It becomes the default of a location that has no default yet. */
export const deviceForm = z.object({
  ...deviceFields,
  location_id: locationRef,
  /** Left out or empty: a new random one. */
  secret: sentSecret,
  user_profile: profileForm.omit({ location_id: true, is_default: true }).nullish(),
});
export type DeviceForm = z.output<typeof deviceForm>;
/**
 * Left out or empty, the secret stays. Guests cannot sign in until the router has a changed one. A device stays in its location:
 * another one in `location_id` is refused.
 */
export const deviceUpdate = z
  .object({ ...deviceFields, ...changedConnection, location_id: locationRef, secret: sentSecret })
  .partial();
export type DeviceUpdate = z.output<typeof deviceUpdate>;

/** The body for a device with an id of another system. `secret` counts when the device is created. */
export const deviceByExternalId = deviceForm.omit({ user_profile: true }).extend(changedConnection).partial();
export type DeviceByExternalId = z.output<typeof deviceByExternalId>;

export const deviceLicense = z.object({
  year: numeric(z.number()).pipe(z.literal([1, 2, 3])),
  expected_end_at: expectedEnd,
});
export type DeviceLicense = z.output<typeof deviceLicense>;

export const devicesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device',
    access: 'view-devices',
    summary: 'Devices',
    query: z.object({
      ...pageQuery(),
      search: text.optional(),
      similar,
      brand: text.optional(),
      status: z.enum(deviceStatuses).optional(),
      location_id: id.optional(),
      /** Instead of `location_id`, several. They too may lie outside the active team. */
      locationIds: queryList(id),
      external_id: externalId.optional(),
      /** `seen`: by the time when the device was last heard from; in ascending order, devices that never were come first. */
      sort: z.enum(deviceOrders).default('created'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    reply: page(device),
  }),
  brands: endpoint({
    method: 'GET',
    path: '/v1/panel/device/brands',
    access: 'signed-in',
    summary: 'Brands of devices with their guides',
    query: z.object(shortPageQuery()),
    reply: page(brand),
  }),
  models: endpoint({
    method: 'GET',
    path: '/v1/panel/device/brands/:id/models',
    access: 'signed-in',
    summary: 'Models of a brand',
    params: idParams,
    query: z.object(shortPageQuery()),
    reply: page(brandModel),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/device',
    access: 'store-devices',
    summary: 'Add a device',
    body: deviceForm,
    reply: one(deviceDetail),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id',
    access: 'view-devices',
    summary: 'One device',
    params: idParams,
    reply: one(deviceDetail),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/device/:id',
    access: 'update-devices',
    summary: 'Change a device',
    params: idParams,
    body: deviceUpdate,
    reply: one(deviceDetail),
  }),
  putByExternalId: endpoint({
    method: 'PUT',
    path: '/v1/panel/device/by-external-id/:externalId',
    access: 'store-devices',
    summary: 'Create the device with this id of another system, or change it',
    description: `${byExternalIdOfLocation} \`secret\` counts when it is created. A change needs \`update-devices\` too.`,
    params: externalIdParams,
    body: deviceByExternalId,
    reply: one(deviceDetail),
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id',
    access: 'delete-devices',
    summary: 'Delete a device',
    params: idParams,
    reply: 'none',
  }),
  renewSecret: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/secret',
    access: 'update-devices',
    summary: 'Create a new RADIUS secret for a device; the old one is invalid, so the router needs the new one',
    params: idParams,
    reply: one(deviceDetail),
    status: 200,
  }),
  license: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/license',
    access: 'create-location',
    summary: 'License a device for 1, 2 or 3 years; resellers only during its trial',
    params: idParams,
    body: deviceLicense,
    reply: one(deviceDetail),
    status: 200,
  }),
  enableHotspot: endpoint({
    method: 'PATCH',
    path: '/v1/panel/device/:id/management/enableHotspot',
    access: 'update-devices',
    summary: 'Switch the hotspot of a device on',
    params: idParams,
    reply: one(deviceDetail),
  }),
  disableHotspot: endpoint({
    method: 'PATCH',
    path: '/v1/panel/device/:id/management/disableHotspot',
    access: 'update-devices',
    summary: 'Switch the hotspot of a device off',
    params: idParams,
    reply: one(deviceDetail),
  }),
  selected: deviceSelectionApi,
  setup: deviceSetupApi,
  networks: networksApi,
  macs: macsApi,
  control: routerControlApi,
  doctor: deviceDoctorApi,
  certificates: deviceCertificatesApi,
} as const;
