import { z } from 'zod';
import { marketingChannels } from './consent-kinds.ts';
import { id, time } from './fields.ts';
import { importSources, sessionProblems } from './import-kinds.ts';
import { purchaseStates } from './purchase-states.ts';
import { currencies } from './units.ts';

/** The shapes of what events tell. The amounts of purchases, packages and room charges are in minor units. */

export const maybe = id.nullable();
const currency = z.enum(currencies);
export const here = { id, location_id: id };
/** The names of what changed. Of some fields the values are not told. */
export const changed = z.array(z.string());
const limit = z.object({ is_active: z.boolean(), option: z.string(), value: z.number() });

export const session = z.object({
  session_id: id,
  location_id: id,
  device_id: id,
  mac: z.string(),
  ip: z.string().nullable(),
  started_at: time,
  visitor: z.object({ id, name: z.string(), room_number: z.string().nullable() }).nullable(),
});
export const visitorEnd = z.object({
  ...here,
  name: z.string(),
  provider_type: z.string(),
  room_number: z.string().nullable(),
  session_start_at: time.nullable(),
  session_end_at: time.nullable(),
});
export const visitor = visitorEnd.extend({ profile_id: maybe, blocked: z.boolean() });
export const gone = z.object(here);
export const sale = z.object({
  ...here,
  visitor_id: maybe,
  profile_id: maybe,
  days: z.number(),
  unit_price: z.number(),
  total: z.number(),
  currency,
  sold_at: time,
});
export const purchase = z.object({
  ...here,
  visitor_id: maybe,
  package_id: maybe,
  package: z.string(),
  days: z.number(),
  amount: z.number(),
  tax: z.number(),
  currency,
  provider: z.string(),
  payment: z.string().nullable(),
  state: z.enum(purchaseStates),
  paid_at: time.nullable(),
  refunded_at: time.nullable(),
});
export const roomCharge = z.object({
  ...here,
  integration_id: id,
  visitor_id: maybe,
  sale_id: maybe,
  amount: z.number(),
  currency: z.string(),
  state: z.string(),
  /** The code with which the hotel system refused it. */
  answer: z.string().nullable(),
  answered_at: time.nullable(),
});
/** A text message. The number is masked, as in the panel. */
export const message = z.object({
  ...here,
  integration_id: maybe,
  recipient: z.string().nullable(),
  state: z.string(),
  problem: z.string().nullable(),
  sent_at: time.nullable(),
  delivered_at: time.nullable(),
});
export const logFile = z.object({
  ...here,
  device_id: id,
  type: z.string(),
  day: z.string(),
  part: z.number(),
  sealed_at: time.nullable(),
  sha256: z.string().nullable(),
});
export const voucher = z.object({
  ...here,
  batch_id: id,
  number: z.number(),
  visitor_id: maybe,
  issued_at: time.nullable(),
  used_at: time.nullable(),
  revoked_at: time.nullable(),
});
export const voucherBatch = z.object({
  ...here,
  name: z.string(),
  profile_id: maybe,
  shared_user: z.number(),
  valid_for: limit,
  valid_until: z.string().nullable(),
  price: z.number(),
  currency,
  at_desk: z.boolean(),
  total: z.number(),
});
export const guestPackage = z.object({
  ...here,
  profile_id: id,
  /** By language. */
  name: z.record(z.string(), z.string()),
  price: z.number(),
  currency,
  tax_rate: z.number(),
  min_days: z.number(),
  max_days: z.number(),
  is_active: z.boolean(),
});
export const watched = z.object({ ...here, name: z.string(), last_seen_at: time.nullable() });
export const device = z.object({
  ...here,
  name: z.string(),
  mac_address: z.string(),
  brand_id: id,
  model_id: maybe,
  hotspot_status: z.boolean(),
  license_end_at: time.nullable(),
});
export const location = z.object({
  ...here,
  name: z.string(),
  country: z.string(),
  city: z.string(),
  district: z.string(),
  time_zone: z.string(),
  portal_id: maybe,
  default_profile_id: maybe,
  license_end_at: time.nullable(),
  suspended_at: time.nullable(),
});
export const licence = z.object({
  location_id: id,
  name: z.string(),
  ends_at: time,
  /** Days left, rounded up. */
  days: z.number(),
  is_trial: z.boolean(),
});
export const licencePaid = z.object({
  ...here,
  years: z.number(),
  amount: z.number(),
  tax: z.number(),
  currency,
  provider: z.string(),
  payment: z.string().nullable(),
  /** The end of the licence that the payment gave. */
  license_end_at: time.nullable(),
  paid_at: time.nullable(),
  refunded_at: time.nullable(),
});
/** For objects that may belong to the whole tenant: `location_id` is null then. */
export const shared = { id, location_id: maybe };
export const tenantWide = { location_id: z.null() };
export const portal = z.object({ ...shared, name: z.string() });
export const goneShared = z.object(shared);
export const network = z.object({
  ...here,
  device_id: id,
  name: z.string(),
  start_ip: z.string(),
  /** The length of the prefix. */
  subnet: z.number(),
  portal_id: maybe,
  profile_id: maybe,
});
export const macRule = z.object({ ...here, device_id: id, mac: z.string(), type: z.string(), comment: z.string() });
export const certificate = z.object({
  ...here,
  device_id: id,
  name: z.string(),
  serial: z.string(),
  expires_at: time,
  revoked_at: time.nullable(),
});
export const logSource = z.object({ ...here, device_id: id, network: z.string(), proof: z.string(), first_at: time });
export const printer = z.object({
  ...here,
  name: z.string(),
  host: z.string(),
  port: z.number(),
  paper: z.string(),
  letters: z.string(),
});
export const advertisement = z.object({
  ...shared,
  portal_id: id,
  name: z.string(),
  type: z.string(),
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  weight: z.number(),
});
export const survey = z.object({ ...shared, portal_id: id, name: z.string() });
export const portalRule = z.object({
  ...shared,
  portal_id: id,
  state: z.string(),
  action: z.string(),
  survey_id: maybe,
  language: z.string().nullable(),
});
export const anIntegration = z.object({ ...shared, name: z.string(), kind: z.string() });
export const reportMail = z.object({
  ...here,
  name: z.string(),
  frequency: z.string(),
  reports: z.array(z.string()),
  language: z.string(),
  is_active: z.boolean(),
});
const menuItem = { ...here, title: z.string(), title_en: z.string(), status: z.number(), position: z.number() };
export const menuCategory = z.object(menuItem);
export const menuProduct = z.object({ ...menuItem, price: z.number().nullable(), currency: z.string() });
export const menuDesk = z.object({
  ...here,
  title: z.string(),
  prefix: z.string(),
  number_start: z.number(),
  number_end: z.number(),
  number: z.number(),
  /** 0: the codes of these desks lead nowhere. */
  status: z.number(),
});
const granted = z.array(z.string());
export const member = z.object({
  location_id: id,
  user_id: id,
  permissions: granted,
  /** Null: every device of the location. */
  device_ids: z.array(id).nullable(),
  role_ids: z.array(id),
});
/** Without the address, which only those see who manage the team. */
export const invitation = z.object({
  ...here,
  role_ids: z.array(id),
  expires_at: time,
  closed_as: z.enum(['accepted', 'denied', 'cancelled']).nullable(),
});
export const role = z.object({ ...shared, name: z.string(), permissions: granted });
/** The permissions of a role of the tenant in one location. */
export const roleAdjustment = z.object({ location_id: id, role_id: id, permissions: granted });
export const user = z.object({
  ...tenantWide,
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role: z.string(),
  language: z.string(),
});
export const domain = z.object({ ...tenantWide, host: z.string(), variant: z.string(), verified_at: time.nullable() });
export const sso = z.object({
  ...tenantWide,
  issuer: z.string(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  domains: z.array(z.string()),
  create_accounts: z.boolean(),
});
export const radiusProxy = z.object({
  ...tenantWide,
  id,
  name: z.string(),
  address: z.string().nullable(),
  /** The locations whose devices it may speak for; empty: all. */
  locations: z.array(id),
});
export const foreignImport = z.object({
  ...here,
  source: z.enum(importSources),
  file_name: z.string(),
  /** The visitors or past sessions in the file. */
  total: z.number(),
  /** Of `import.read`: what would happen, if visitors that exist are kept. Later: what has happened so far. */
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  /** Why the file cannot be read. */
  problem: z.enum(sessionProblems).nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
export const profile = z.object({
  ...here,
  name: z.string(),
  shared_user: z.number(),
  session_duration: limit,
  max_upload: limit,
  max_download: limit,
});
export const consent = z.object({
  ...here,
  visitor_id: maybe,
  channel: z.enum(marketingChannels),
  recipient: z.string().nullable(),
  version: z.string(),
  language: z.string(),
  given_at: time,
});
