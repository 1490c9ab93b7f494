import { z } from 'zod';
import { marketingChannels } from './consent-kinds.ts';
import { id, time } from './fields.ts';
import { importSources } from './import-kinds.ts';
import type { WebhookEvent } from './integration-names.ts';
import { purchaseStates } from './purchase-states.ts';
import { currencies } from './units.ts';

/** What the events of webhooks tell, in `data`. The amounts of purchases, packages and room charges are in minor units. */

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
const portal = z.object({ ...here, name: z.string() });
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
  'import.finished': {
    when: 'an import of visitors from another program is done',
    data: z.object({
      ...here,
      source: z.enum(importSources),
      file_name: z.string(),
      total: z.number(),
      created: z.number(),
      updated: z.number(),
      skipped: z.number(),
      started_at: time,
      finished_at: time,
    }),
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
  'purchase.paid': { when: 'a guest has paid on the portal', data: purchase },
  'purchase.failed': { when: 'a payment was declined, or did not come within a day', data: purchase },
  'purchase.refused': {
    when: 'the provider reports another amount than was asked for, so there is no access',
    data: purchase,
  },
  'purchase.refunded': { when: 'the money of a purchase went back', data: purchase },
  'purchase.charged_back': { when: 'the bank of a guest took the money back', data: purchase },
  'room_charge.posted': { when: 'the hotel system has put a charge on the bill', data: roomCharge },
  'room_charge.refused': { when: 'the hotel system refuses a charge', data: roomCharge },
  'package.created': { when: 'a package is created', data: guestPackage },
  'package.updated': { when: 'a package changes', data: guestPackage.extend({ changed }) },
  'package.deleted': { when: 'a package is deleted', data: gone },
  'device.offline': { when: 'a device has sent nothing for a while', data: watched },
  'device.online': { when: 'a device that was reported as offline is back', data: watched },
  'device.created': { when: 'a device is created, or comes from another location', data: device },
  'device.updated': { when: 'a device changes', data: device.extend({ changed }) },
  'device.deleted': { when: 'a device is deleted, or goes to another location', data: gone },
  'location.updated': {
    when: 'a location changes, is suspended, or gets a licence',
    data: location.extend({ changed }),
  },
  'licence.expiring': { when: 'the licence of the location ends in 30, 7 or 1 days, a trial in 7 or 1', data: licence },
  'licence.expired': { when: 'the licence of the location, or its trial, has ended', data: licence },
  'portal.created': { when: 'a portal of the location is created', data: portal },
  'portal.updated': {
    when: 'a portal that the location shows is published or changed',
    data: portal.extend({ changed }),
  },
  'portal.deleted': { when: 'a portal of the location is deleted', data: gone },
  'profile.created': { when: 'a session profile is created', data: profile },
  'profile.updated': { when: 'a session profile changes', data: profile.extend({ changed }) },
  'profile.deleted': { when: 'a session profile is deleted', data: gone },
} as const satisfies Record<WebhookEvent, About>;
