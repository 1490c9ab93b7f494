import { z } from 'zod';
import { marketingChannels } from './consent-kinds.ts';
import { id, time } from './fields.ts';
import { importSources } from './import-kinds.ts';
import type { WebhookEvent } from './integration-names.ts';
import { purchaseStates } from './purchase-states.ts';
import { currencies } from './units.ts';

/** The contents of the webhooks' events, in `data`. The amounts of purchases, packages and room charges are in minor units. */

const maybe = id.nullable();
const currency = z.enum(currencies);
const here = { id, location_id: id };
/** The names of what changed. Of some fields the values are not told. */
const changed = z.array(z.string());
const limit = z.object({ is_active: z.boolean(), option: z.string(), value: z.number() });

const session = z.object({
  session_id: id,
  location_id: id,
  device_id: id,
  mac: z.string(),
  ip: z.string().nullable(),
  started_at: time,
  visitor: z.object({ id, name: z.string(), room_number: z.string().nullable() }).nullable(),
});
const visitorEnd = z.object({
  ...here,
  name: z.string(),
  provider_type: z.string(),
  room_number: z.string().nullable(),
  session_start_at: time.nullable(),
  session_end_at: time.nullable(),
});
const visitor = visitorEnd.extend({ profile_id: maybe, blocked: z.boolean() });
const gone = z.object(here);
const sale = z.object({
  ...here,
  visitor_id: maybe,
  profile_id: maybe,
  days: z.number(),
  unit_price: z.number(),
  total: z.number(),
  currency,
  sold_at: time,
});
const purchase = z.object({
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
const roomCharge = z.object({
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
const message = z.object({
  ...here,
  integration_id: maybe,
  recipient: z.string().nullable(),
  state: z.string(),
  problem: z.string().nullable(),
  sent_at: time.nullable(),
  delivered_at: time.nullable(),
});
const logFile = z.object({
  ...here,
  device_id: id,
  type: z.string(),
  day: z.string(),
  part: z.number(),
  sealed_at: time.nullable(),
  sha256: z.string().nullable(),
});
const voucher = z.object({
  ...here,
  batch_id: id,
  number: z.number(),
  visitor_id: maybe,
  issued_at: time.nullable(),
  used_at: time.nullable(),
  revoked_at: time.nullable(),
});
const voucherBatch = z.object({
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
const guestPackage = z.object({
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
const watched = z.object({ ...here, name: z.string(), last_seen_at: time.nullable() });
const device = z.object({
  ...here,
  name: z.string(),
  mac_address: z.string(),
  brand_id: id,
  model_id: maybe,
  hotspot_status: z.boolean(),
  license_end_at: time.nullable(),
});
const location = z.object({
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
const licence = z.object({
  location_id: id,
  name: z.string(),
  ends_at: time,
  /** Days left, rounded up. */
  days: z.number(),
  is_trial: z.boolean(),
});
const licencePaid = z.object({
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
/** Of what may belong to the whole tenant: `location_id` is null then. */
const shared = { id, location_id: maybe };
const tenantWide = { location_id: z.null() };
const portal = z.object({ ...shared, name: z.string() });
const goneShared = z.object(shared);
const network = z.object({
  ...here,
  device_id: id,
  name: z.string(),
  start_ip: z.string(),
  /** The length of the prefix. */
  subnet: z.number(),
  portal_id: maybe,
  profile_id: maybe,
});
const macRule = z.object({ ...here, device_id: id, mac: z.string(), type: z.string(), comment: z.string() });
const certificate = z.object({
  ...here,
  device_id: id,
  name: z.string(),
  serial: z.string(),
  expires_at: time,
  revoked_at: time.nullable(),
});
const logSource = z.object({ ...here, device_id: id, network: z.string(), proof: z.string(), first_at: time });
const printer = z.object({
  ...here,
  name: z.string(),
  host: z.string(),
  port: z.number(),
  paper: z.string(),
  letters: z.string(),
});
const advertisement = z.object({
  ...shared,
  portal_id: id,
  name: z.string(),
  type: z.string(),
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  weight: z.number(),
});
const survey = z.object({ ...shared, portal_id: id, name: z.string() });
const portalRule = z.object({
  ...shared,
  portal_id: id,
  state: z.string(),
  action: z.string(),
  survey_id: maybe,
  language: z.string().nullable(),
});
const anIntegration = z.object({ ...shared, name: z.string(), kind: z.string() });
const reportMail = z.object({
  ...here,
  name: z.string(),
  frequency: z.string(),
  reports: z.array(z.string()),
  language: z.string(),
  is_active: z.boolean(),
});
const menuItem = { ...here, title: z.string(), title_en: z.string(), status: z.number(), position: z.number() };
const menuCategory = z.object(menuItem);
const menuProduct = z.object({ ...menuItem, price: z.number().nullable(), currency: z.string() });
const menuDesk = z.object({
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
const member = z.object({
  location_id: id,
  user_id: id,
  permissions: granted,
  /** Null: every device of the location. */
  device_ids: z.array(id).nullable(),
  role_ids: z.array(id),
});
/** Without the address, which only those see who manage the team. */
const invitation = z.object({
  ...here,
  role_ids: z.array(id),
  expires_at: time,
  closed_as: z.enum(['accepted', 'denied', 'cancelled']).nullable(),
});
const role = z.object({ ...shared, name: z.string(), permissions: granted });
/** The permissions of a role of the tenant in one location. */
const roleAdjustment = z.object({ location_id: id, role_id: id, permissions: granted });
const user = z.object({
  ...tenantWide,
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role: z.string(),
  language: z.string(),
});
const domain = z.object({ ...tenantWide, host: z.string(), variant: z.string(), verified_at: time.nullable() });
const sso = z.object({
  ...tenantWide,
  issuer: z.string(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  domains: z.array(z.string()),
  create_accounts: z.boolean(),
});
const radiusProxy = z.object({
  ...tenantWide,
  id,
  name: z.string(),
  address: z.string().nullable(),
  /** The locations whose devices it may speak for; empty: all. */
  locations: z.array(id),
});
const foreignImport = z.object({
  ...here,
  source: z.enum(importSources),
  file_name: z.string(),
  total: z.number(),
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
const profile = z.object({
  ...here,
  name: z.string(),
  shared_user: z.number(),
  session_duration: limit,
  max_upload: limit,
  max_download: limit,
});
const consent = z.object({
  ...here,
  visitor_id: maybe,
  channel: z.enum(marketingChannels),
  recipient: z.string().nullable(),
  version: z.string(),
  language: z.string(),
  given_at: time,
});

interface About {
  /** When it is sent, as the rest of a sentence. */
  readonly when: string;
  readonly data: z.ZodObject;
}

/** When each event is sent, and with what. */
export const webhookPayloads = {
  'guest.online': { when: 'a session of a guest begins', data: session },
  'guest.offline': {
    when: 'a session of a guest ends',
    data: session.extend({ seconds: z.number(), upload_bytes: z.number(), download_bytes: z.number() }),
  },
  'visitor.created': { when: 'a visitor is created, by hand, by import or by signing in', data: visitor },
  'visitor.updated': { when: 'a visitor changes', data: visitor.extend({ changed }) },
  'visitor.deleted': { when: 'a visitor is deleted, or its identity is erased', data: gone },
  'visitor.expired': { when: 'the access of a visitor ends by its time, one to two minutes later', data: visitorEnd },
  'consent.given': { when: 'a guest allows news and offers by a channel', data: consent },
  'consent.withdrawn': {
    when: 'such a consent ends; with `by` `erasure`, `recipient` is null',
    data: consent.extend({ withdrawn_at: time, by: z.enum(['guest', 'staff', 'erasure']) }),
  },
  'survey.answered': {
    when: 'a guest answers a survey',
    data: z.object({
      ...here,
      survey_id: id,
      device_id: id,
      visitor_id: maybe,
      language: z.string(),
      /** By question: the ids of the chosen answers, or the text. */
      answers: z.record(z.string(), z.unknown()),
    }),
  },
  'import.created': { when: 'a file of another program is read for an import of visitors', data: foreignImport },
  'import.started': { when: 'such an import begins', data: foreignImport.extend({ started_at: time }) },
  'import.finished': {
    when: 'such an import is done',
    data: foreignImport.extend({ started_at: time, finished_at: time }),
  },
  'voucher.issued': { when: 'the desk hands out a voucher', data: voucher },
  'voucher.redeemed': { when: 'a guest uses a voucher for the first time', data: voucher },
  'voucher.revoked': { when: 'a voucher is revoked', data: voucher },
  'voucher_batch.created': { when: 'a batch of vouchers is made', data: voucherBatch },
  'voucher_batch.updated': { when: 'a batch changes or gets further vouchers', data: voucherBatch.extend({ changed }) },
  'sale.created': { when: 'days or a voucher are sold', data: sale },
  'sale.reversed': {
    when: 'a sale is reversed; `reverses` is the id of the sale',
    data: sale.extend({ reverses: id, reason: z.string() }),
  },
  'purchase.created': { when: 'a guest begins a purchase on the portal', data: purchase },
  'purchase.paid': { when: 'a guest has paid on the portal', data: purchase },
  'purchase.failed': { when: 'a payment was declined, or did not come within a day', data: purchase },
  'purchase.refused': {
    when: 'the provider reports another amount than was asked for, so there is no access',
    data: purchase,
  },
  'purchase.refunded': { when: 'the money of a purchase went back', data: purchase },
  'purchase.charged_back': { when: 'the bank of a guest took the money back', data: purchase },
  'room_charge.created': { when: 'a charge waits for the hotel system', data: roomCharge },
  'room_charge.posted': { when: 'the hotel system has put a charge on the bill', data: roomCharge },
  'room_charge.refused': { when: 'the hotel system refuses a charge', data: roomCharge },
  'room_charge.cancelled': { when: 'a charge is given up', data: roomCharge },
  'package.created': { when: 'a package is created', data: guestPackage },
  'package.updated': { when: 'a package changes', data: guestPackage.extend({ changed }) },
  'package.deleted': { when: 'a package is deleted', data: gone },
  'device.offline': { when: 'a device has sent nothing for a while', data: watched },
  'device.online': { when: 'a device that was reported as offline is back', data: watched },
  'device.created': { when: 'a device is created, or comes from another location', data: device },
  'device.updated': { when: 'a device changes', data: device.extend({ changed }) },
  'device.deleted': { when: 'a device is deleted, or goes to another location', data: gone },
  'device.host_refused': {
    when: 'guests of a device come with the address of a hotspot that it has not used; once a day',
    data: z.object({ ...here, name: z.string(), host: z.string() }),
  },
  'device.controller_failing': {
    when: 'the controller of a device does not answer or does not work for two minutes, or refuses our account or shows another certificate',
    data: z.object({
      ...here,
      name: z.string(),
      problem: z.enum(['unreachable', 'login', 'certificate', 'refused']),
      /** As the controller or the connection gave it. */
      reason: z.string(),
    }),
  },
  'device.controller_recovered': {
    when: 'a controller that was reported as failing works again',
    data: z.object({ ...here, name: z.string() }),
  },
  'network.created': { when: 'a network of a device is created', data: network },
  'network.updated': { when: 'a network changes', data: network.extend({ changed }) },
  'network.deleted': { when: 'a network is deleted', data: gone },
  'mac_rule.created': { when: 'a MAC address is let through or blocked at a device', data: macRule },
  'mac_rule.updated': { when: 'such a rule changes', data: macRule.extend({ changed }) },
  'mac_rule.deleted': { when: 'such a rule is deleted', data: gone },
  'certificate.created': { when: 'a device gets a certificate', data: certificate },
  'certificate.updated': { when: 'a certificate is revoked', data: certificate.extend({ changed }) },
  'certificate.deleted': { when: 'a certificate is deleted', data: gone },
  'certificate.ending': {
    when: 'a certificate ends within 30 days; once',
    data: z.object({ ...here, device_id: id, name: z.string(), days: z.number() }),
  },
  'log_source.created': { when: 'an address may send log lines in the name of a device', data: logSource },
  'log_source.deleted': { when: 'such an address is removed', data: gone },
  'log_source.quarantined': {
    when: 'log lines in the name of a device come from an address that it has not proven; once a week',
    data: z.object({ location_id: id, device_id: id, name: z.string(), address: z.string(), lines: z.number() }),
  },
  'log_file.created': { when: 'a log file of a device is begun', data: logFile },
  'log_file.updated': { when: 'a log file is sealed, or found missing or changed', data: logFile.extend({ changed }) },
  'log_file.deleted': { when: 'a log file is erased after its time', data: gone },
  'log_record.broken': {
    when: 'a sealed log file is missing or was changed; again after 14 days if it stays so',
    data: z.object({
      location_id: maybe,
      device_id: id,
      name: z.string(),
      /** The file, or the part of the chain. */
      where: z.string(),
      problem: z.string(),
    }),
  },
  'log_record.silent': {
    when: 'a device that serves guests has sent no log lines for a day; once a day',
    data: z.object({ location_id: id, device_id: id, name: z.string(), last_line_at: time }),
  },
  'printer.created': { when: 'a receipt printer is added', data: printer },
  'printer.updated': { when: 'a receipt printer changes', data: printer.extend({ changed }) },
  'printer.deleted': { when: 'a receipt printer is removed', data: gone },
  'location.created': { when: 'a location is created; for webhooks of the tenant', data: location },
  'location.updated': {
    when: 'a location changes, is suspended, gets a licence, or goes to another reseller',
    data: location.extend({ changed }),
  },
  'location.deleted': {
    when: 'a location is deleted, with all that it had; for webhooks of the tenant',
    data: gone,
  },
  'licence.requested': {
    when: 'a licence is asked for',
    data: z.object({ location_id: id, name: z.string(), years: z.number() }),
  },
  'licence.paid': { when: 'a licence is paid online, and is in force', data: licencePaid },
  'licence.refunded': { when: 'such a payment went back', data: licencePaid },
  'licence.expiring': { when: 'the licence of the location ends in 30, 7 or 1 days, a trial in 7 or 1', data: licence },
  'licence.expired': { when: 'the licence of the location, or its trial, has ended', data: licence },
  'message.sent': { when: 'a gateway has accepted a text message to a guest', data: message },
  'message.delivered': { when: 'a text message has arrived', data: message },
  'message.failed': { when: 'a text message is given up', data: message },
  'sms.limit': {
    when: 'the text messages of a location reach 80 or 100 % of their limit',
    data: z.object({ location_id: id, percent: z.number(), used: z.number(), limit: z.number() }),
  },
  'failed_sign_ins.rising': {
    when: 'three times as many sign-ins of guests failed in an hour as in an average hour, and at least ten; once a day',
    data: z.object({ location_id: id, name: z.string(), failed: z.number() }),
  },
  'portal.created': { when: 'a portal of the location is created', data: portal },
  'portal.updated': {
    when: 'a portal that the location shows is published or changed',
    data: portal.extend({ changed }),
  },
  'portal.deleted': { when: 'a portal of the location is deleted', data: goneShared },
  'advertisement.created': { when: 'an advertisement is published', data: advertisement },
  'advertisement.updated': { when: 'a published advertisement changes', data: advertisement.extend({ changed }) },
  'advertisement.deleted': { when: 'an advertisement is deleted or left out', data: goneShared },
  'survey.created': { when: 'a survey is published', data: survey },
  'survey.updated': { when: 'a published survey changes', data: survey.extend({ changed }) },
  'survey.deleted': { when: 'a survey is deleted or left out', data: goneShared },
  'portal_rule.created': { when: 'a rule of a portal, such as a redirect, is published', data: portalRule },
  'portal_rule.updated': { when: 'a published rule changes', data: portalRule.extend({ changed }) },
  'portal_rule.deleted': { when: 'a rule of a portal is deleted', data: goneShared },
  'profile.created': { when: 'a session profile is created', data: profile },
  'profile.updated': { when: 'a session profile changes', data: profile.extend({ changed }) },
  'profile.deleted': { when: 'a session profile is deleted', data: gone },
  'integration.created': { when: 'an integration is added', data: anIntegration },
  'integration.updated': {
    when: 'the name, the events or the mapped fields of an integration change',
    data: anIntegration.extend({ changed }),
  },
  'integration.deleted': { when: 'an integration is deleted', data: goneShared },
  'integration.failing': {
    when: 'an integration stops working; sent once per failure',
    data: z.object({ ...shared, name: z.string(), reason: z.string() }),
  },
  'integration.recovered': {
    when: 'it works again',
    data: z.object({ ...shared, name: z.string() }),
  },
  'report_mail.created': { when: 'reports by mail are set up', data: reportMail },
  'report_mail.updated': { when: 'they change', data: reportMail.extend({ changed }) },
  'report_mail.deleted': { when: 'they are deleted', data: gone },
  'report_mail.sent': {
    when: 'reports are mailed',
    data: z.object({ ...here, name: z.string(), frequency: z.string(), reports: z.array(z.string()) }),
  },
  'menu_category.created': { when: 'a category of the QR menu is created', data: menuCategory },
  'menu_category.updated': { when: 'a category changes or gets another place', data: menuCategory.extend({ changed }) },
  'menu_category.deleted': { when: 'a category is deleted', data: gone },
  'menu_product.created': { when: 'a product of the QR menu is created', data: menuProduct },
  'menu_product.updated': { when: 'a product changes or gets another place', data: menuProduct.extend({ changed }) },
  'menu_product.deleted': { when: 'a product is deleted', data: gone },
  'menu_desk.created': { when: 'a row of desks gets its codes', data: menuDesk },
  'menu_desk.updated': { when: 'a row of desks changes', data: menuDesk.extend({ changed }) },
  'menu_desk.deleted': { when: 'a row of desks is deleted', data: gone },
  'member.created': { when: 'an administrator joins the location', data: member },
  'member.updated': { when: 'the rights of an administrator change', data: member.extend({ changed }) },
  'member.deleted': {
    when: 'an administrator leaves the location',
    data: z.object({ user_id: id, location_id: id }),
  },
  'invitation.created': { when: 'an administrator is invited', data: invitation },
  'invitation.updated': {
    when: 'an invitation is accepted, denied, cancelled or sent again',
    data: invitation.extend({ changed }),
  },
  'invitation.deleted': { when: 'an invitation is deleted', data: gone },
  'role.created': { when: 'a role is created', data: role },
  'role.updated': { when: 'a role changes', data: role.extend({ changed }) },
  'role.deleted': { when: 'a role is deleted', data: goneShared },
  'role_adjustment.created': {
    when: 'a location changes the permissions of a role of the tenant',
    data: roleAdjustment,
  },
  'role_adjustment.updated': { when: 'it changes them again', data: roleAdjustment.extend({ changed }) },
  'role_adjustment.deleted': {
    when: 'it takes the permissions of the tenant again',
    data: z.object({ role_id: id, location_id: id }),
  },
  'audit.recorded': {
    when: 'the audit log gets an entry, such as a sign-in, an export or a look-up of “Who was it?”',
    data: z.object({
      ...here,
      location_id: maybe,
      user_id: maybe,
      verb: z.string(),
      subject_type: z.string(),
      subject_id: maybe,
      device_id: maybe,
    }),
  },
  'tenant.updated': {
    when: 'the brand or the rules of the tenant change',
    data: z.object({ ...tenantWide, id, slug: z.string(), brand_name: z.string(), changed }),
  },
  'user.created': { when: 'an account is created', data: user },
  'user.updated': { when: 'an account changes', data: user.extend({ changed }) },
  'user.deleted': { when: 'an account is deleted', data: z.object({ ...tenantWide, id }) },
  'domain.created': { when: 'a domain is added', data: domain },
  'domain.updated': { when: 'a domain is proven, or its proof is lost', data: domain.extend({ changed }) },
  'domain.deleted': { when: 'a domain is removed', data: z.object({ ...tenantWide, host: z.string() }) },
  'single_sign_on.created': { when: 'single sign-on is set up', data: sso },
  'single_sign_on.updated': { when: 'its settings change', data: sso.extend({ changed }) },
  'single_sign_on.deleted': { when: 'it is removed', data: z.object({ ...tenantWide, issuer: z.string() }) },
  'radius_proxy.created': { when: 'a RADIUS proxy is added', data: radiusProxy },
  'radius_proxy.updated': { when: 'a RADIUS proxy changes', data: radiusProxy.extend({ changed }) },
  'radius_proxy.deleted': { when: 'a RADIUS proxy is removed', data: z.object({ ...tenantWide, id }) },
  'unknown_device.seen': {
    when: 'a router that was not added sends RADIUS packets through a proxy of the tenant, or from the address of one of its devices; once a day for each router of a proxy and for each address',
    data: z.object({
      ...tenantWide,
      nas_identifier: z.string().nullable(),
      address: z.string(),
      packets: z.number(),
      /** The proxy that forwarded them. */
      proxy_id: maybe,
      /** The device that has proven this address. */
      device_id: maybe,
      first_at: time,
    }),
  },
  'mail.limit': {
    when: 'the mails of the tenant reach 80 or 100 % of the limit of a day',
    data: z.object({ ...tenantWide, percent: z.number(), used: z.number(), limit: z.number() }),
  },
  'clock.doubted': {
    when: 'the clock of the server is far from the last known time, so nothing is erased',
    data: z.object({ ...tenantWide, known: z.string(), now: z.string() }),
  },
} as const satisfies Record<WebhookEvent, About>;
