import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  calendarDay,
  durationLimit,
  emptiedByNull,
  id,
  idParams,
  locationRef,
  name,
  optionalId,
  pageQuery,
  similar,
  text,
  time,
  whole,
} from './fields.ts';
import { batchOrders } from './list-orders.ts';
import { portalLanguages } from './portal-languages.ts';
import { currencies } from './units.ts';

/** Vouchers: batches of codes, each of which is the account of one guest. */

export const voucherStates = ['unused', 'active', 'over', 'revoked'] as const;
export type VoucherState = (typeof voucherStates)[number];

/** The most vouchers that one request makes. */
export const maxVouchers = 1000;
/** The most vouchers that the desk hands out at once. */
export const maxAtDesk = 50;

const note = emptiedByNull(z.string().trim().max(1000), '');

const terms = {
  name,
  profile_id: optionalId,
  /** Devices of one voucher that may be online at once, in place of the number in the profile. */
  shared_user: whole(1, 1000).default(1),
  /** How long a guest may be online, from the first use. */
  valid_for: durationLimit,
  /** The last day on which the vouchers are valid, on the clocks of the location. */
  valid_until: z.preprocess(sent => (sent === '' ? null : sent), calendarDay.nullish()),
  /** In minor units of the currency, such as cents. */
  price: whole(0, 100_000_000).default(0),
  currency: z.enum(currencies).default('eur'),
  note: note.default(''),
  /** The desk hands out further vouchers of this batch. */
  at_desk: z.boolean().default(false),
};

export const voucherBatchForm = z
  .object({ location_id: locationRef, ...terms, count: whole(0, maxVouchers).default(0) })
  .superRefine((it, context) => {
    if (!it.valid_for.is_active && !it.valid_until)
      context.addIssue({ code: 'custom', path: ['valid_until'], message: 'required' });
    if (it.count === 0 && !it.at_desk) context.addIssue({ code: 'custom', path: ['count'], message: 'voucher_count' });
  });
export type VoucherBatchForm = z.output<typeof voucherBatchForm>;

/** Fields that may change once the batch has vouchers: guests keep the terms that they were sold. */
export const voucherBatchUpdate = z.object({ name, note, at_desk: z.boolean() });
const voucherBatchChange = changeOf(voucherBatchUpdate);
export type VoucherBatchChange = z.output<typeof voucherBatchChange>;

const named = z.object({ id, name: z.string() });

/** `total` counts all vouchers; `used` and `revoked` some of them. A used voucher can be revoked too. */
export const voucherBatch = z.object({
  id,
  location_id: id,
  location: named.extend({ time_zone: z.string() }),
  name: z.string(),
  profile_id: id.nullable(),
  profile: named.nullable(),
  shared_user: z.number(),
  valid_for: durationLimit,
  valid_until: z.string().nullable(),
  price: z.number(),
  currency: z.enum(currencies),
  note: z.string(),
  at_desk: z.boolean(),
  total: z.number(),
  used: z.number(),
  revoked: z.number(),
  /** Neither used nor revoked. */
  left: z.number(),
  /** The sales of the used vouchers less their reversals, in minor units. */
  revenue: z.number(),
  created_at: time,
  updated_at: time,
});
export type VoucherBatch = z.output<typeof voucherBatch>;

/**
 * One voucher. `code` is null for users without `store-vouchers`, and if it was stored under another SECRET_KEY. The code of an
 * unused voucher is null too, unless the list was searched for it.
 */
export const voucher = z.object({
  id,
  number: z.number(),
  code: z.string().nullable(),
  state: z.enum(voucherStates),
  created_at: time,
  used_at: time.nullable(),
  /** When the access of its guest ends. */
  ends_at: time.nullable(),
  revoked_at: time.nullable(),
  visitor_id: id.nullable(),
});
export type Voucher = z.output<typeof voucher>;

/** The content of a printed voucher. `sign_in_url`: the content of its QR code, which signs the guest in. */
export const voucherCard = z.object({ id, number: z.number(), code: z.string(), sign_in_url: z.string() });
export type VoucherCard = z.output<typeof voucherCard>;

export const cardPapers = ['a4', 'receipt-80', 'receipt-58', 'label'] as const;

/** Design of the cards of a location. The password of the Wi-Fi is on every card, but is stored encrypted. */
export const cardSettingsForm = z.object({
  ssid: emptiedByNull(z.string().max(32), '').default(''),
  wifi_password: z
    .union([z.literal(''), z.string().min(8).max(63)], 'wifi_password')
    .nullish()
    .transform(it => it || null),
  language: z.enum(portalLanguages).default('tr'),
  paper: z.enum(cardPapers).default('a4'),
  text: emptiedByNull(z.string().trim().max(300), '').default(''),
  logo: z.boolean().default(true),
});
export type CardSettings = z.output<typeof cardSettingsForm>;
const cardSettingsChange = changeOf(cardSettingsForm);
export type CardSettingsChange = z.output<typeof cardSettingsChange>;
/** The part that the caller may see. */
export const cardSettings = z.object({
  ssid: z.string(),
  wifi_password: z.string().nullable(),
  language: z.enum(portalLanguages),
  paper: z.enum(cardPapers),
  text: z.string(),
  logo: z.boolean(),
});

/** A voucher that the desk handed out today. */
export const handedOut = voucher.extend({
  batch: named,
  price: z.number(),
  currency: z.enum(currencies),
  issued_at: time,
  /** Null: the user is gone. */
  issued_by: z.string().nullable(),
});
export type HandedOut = z.output<typeof handedOut>;

export const voucherDesk = z.object({
  location: named.extend({ time_zone: z.string() }),
  batches: z.array(voucherBatch.omit({ revenue: true })),
  /** The newest 200 of today. */
  today: z.array(handedOut),
  /** All vouchers of today that were not revoked, per currency, in minor units. */
  totals: z.array(z.object({ currency: z.enum(currencies), count: z.number(), amount: z.number() })),
  /** Today's reversals, the newest first: vouchers and purchases on the portal. Amounts are in minor units. */
  refunds: z.array(
    z.object({
      id,
      what: z.string(),
      amount: z.number(),
      currency: z.enum(currencies),
      reason: z.string(),
      refunded_at: time,
    }),
  ),
  card: cardSettings,
});
export type VoucherDesk = z.output<typeof voucherDesk>;

/** Ids of vouchers of a batch. */
const ids = z.array(id).min(1).max(maxVouchers);
/** Without ids: all that can be printed. */
const chosen = z.object({ voucher_ids: ids.nullish() });
/** A revocation cannot be taken back, so a body that lost its ids must not revoke the batch: that takes `all`. */
const revoked = z
  .object({ voucher_ids: ids.optional(), all: z.boolean().optional() })
  .refine(it => it.all || it.voucher_ids, { path: ['voucher_ids'], message: 'ids_or_all' })
  .refine(it => !(it.all && it.voucher_ids), { path: ['all'], message: 'ids_or_all' });

export const extendBatchForm = z.object({ days: whole(1, 365) });

export const vouchersApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/voucher-batch',
    access: 'view-vouchers',
    summary: 'Batches of vouchers',
    query: z.object({
      ...pageQuery(),
      location_id: id.optional(),
      search: text.optional(),
      similar,
      /** `left`: by the number of vouchers that are neither used nor revoked. */
      sort: z.enum(batchOrders).default('created'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    reply: page(voucherBatch),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/voucher-batch',
    access: 'store-vouchers',
    summary: 'Make a batch of vouchers',
    body: voucherBatchForm,
    reply: one(voucherBatch),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/voucher-batch/:id',
    access: 'view-vouchers',
    summary: 'One batch',
    params: idParams,
    reply: one(voucherBatch),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/voucher-batch/:id',
    access: 'update-vouchers',
    summary: 'Rename a batch, change its note, or take it to or from the desk',
    params: idParams,
    body: voucherBatchChange,
    reply: one(voucherBatch),
  }),
  vouchers: endpoint({
    method: 'GET',
    path: '/v1/panel/voucher-batch/:id/vouchers',
    access: 'view-vouchers',
    summary: 'The vouchers of a batch by number, or the one with a code',
    params: idParams,
    query: z.object({ ...pageQuery(), state: z.enum(voucherStates).optional(), search: text.optional() }),
    reply: page(voucher),
  }),
  cards: endpoint({
    method: 'POST',
    path: '/v1/panel/voucher-batch/:id/cards',
    access: 'store-vouchers',
    summary: 'Codes to print: of the named vouchers, or of the first 1,000 that are neither used nor revoked',
    params: idParams,
    body: chosen,
    reply: z.object({ data: z.array(voucherCard), card: cardSettings }),
    status: 200,
  }),
  issue: endpoint({
    method: 'POST',
    path: '/v1/panel/voucher-batch/:id/issue',
    access: 'store-vouchers',
    summary: 'Hand out further vouchers of a batch at the desk',
    params: idParams,
    body: z.object({ count: whole(1, maxAtDesk).default(1) }),
    reply: z.object({ data: z.array(voucherCard) }),
    status: 201,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/v1/panel/voucher-batch/:id/revoke',
    access: 'update-vouchers',
    summary:
      'Revoke the named vouchers, or all of the batch, which then leaves the desk; guests who are online with them are disconnected',
    params: idParams,
    body: revoked,
    reply: one(voucherBatch),
    status: 200,
  }),
  extend: endpoint({
    method: 'POST',
    path: '/v1/panel/voucher-batch/:id/extend',
    access: 'update-vouchers',
    summary: 'Give guests with a running voucher more days; the last day of the batch moves too',
    params: idParams,
    body: extendBatchForm,
    reply: one(voucherBatch),
    status: 200,
  }),
  desk: endpoint({
    method: 'GET',
    path: '/v1/panel/voucher-desk',
    access: 'store-vouchers',
    summary: 'The vouchers that the desk of a location hands out, and those of today',
    query: z.object({ location_id: id.optional() }),
    reply: one(voucherDesk),
  }),
  card: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/voucher-card',
    access: 'store-vouchers',
    location: 'id',
    summary: 'Design of the cards of a location',
    params: idParams,
    reply: one(cardSettings),
  }),
  setCard: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/:id/voucher-card',
    access: 'update-vouchers',
    location: 'id',
    summary: 'Change how the cards of a location look',
    params: idParams,
    body: cardSettingsChange,
    reply: one(cardSettings),
  }),
} as const;
