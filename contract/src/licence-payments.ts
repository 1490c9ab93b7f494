import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { expectedEnd, id, idParams, pageQuery, time, whole } from './fields.ts';
import { paymentSlugs } from './integration-names.ts';
import { licenceYears } from './licences.ts';
import { licenceProblems, purchaseStates } from './purchase-states.ts';
import { currencies } from './units.ts';

const named = z.object({ id, name: z.string() });

/** The tenant's price for a licence of a year, in minor units, with tax. `tax_rate`: in hundredths of a percent. */
export const licenceTermsForm = z.object({
  is_active: z.boolean(),
  price: whole(1, 100_000_000),
  currency: z.enum(currencies),
  tax_rate: whole(0, 10_000),
});
export type LicenceTerms = z.output<typeof licenceTermsForm>;
const licenceTermsChange = changeOf(licenceTermsForm);
export type LicenceTermsChange = z.output<typeof licenceTermsChange>;

/** Null: customers send requests. */
export const licenceOffer = licenceTermsForm.nullable();

export const licencePayment = z.object({
  id,
  /** The customer; its id is null once the location was deleted. */
  location: named.extend({ id: id.nullable() }),
  /** The user who paid; null once the account was deleted. */
  user: named.nullable(),
  provider: z.enum(paymentSlugs),
  /** The provider's id of the payment. */
  payment: z.string().nullable(),
  state: z.enum(purchaseStates),
  problem: z.enum(licenceProblems).nullable(),
  /** The provider's answer, where it differs. */
  reported: z.string().nullable(),
  years: z.number(),
  /** In minor units, with tax. */
  unit_price: z.number(),
  amount: z.number(),
  tax: z.number(),
  tax_rate: z.number(),
  currency: z.enum(currencies),
  email: z.string(),
  /** The end of the licence that the payment gave; null while it is not paid. */
  license_end_at: time.nullable(),
  refund_reason: z.string(),
  created_at: time,
  paid_at: time.nullable(),
  refunded_at: time.nullable(),
});
export type LicencePayment = z.output<typeof licencePayment>;

export const licenceRefundForm = z.object({ reason: z.string().trim().min(1).max(500) });
const payForm = z.object({ year: licenceYears, expected_end_at: expectedEnd });
const ofLocation = z.object({ id, paymentId: id });

export const licencePaymentsApi = {
  offer: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/license-offer',
    access: 'signed-in',
    summary: 'Price of a yearly licence of a location; null where licences are requested, not paid online',
    params: idParams,
    reply: one(licenceOffer),
  }),
  terms: endpoint({
    method: 'GET',
    path: '/v1/panel/license-terms',
    access: 'read-tenant',
    summary: 'The price of licences, as the tenant has set it; null before the first time',
    reply: one(licenceOffer),
  }),
  setTerms: endpoint({
    method: 'PUT',
    path: '/v1/panel/license-terms',
    access: 'tenant-admin',
    summary: 'Set the price of licences, and whether customers pay them online',
    body: licenceTermsChange,
    reply: one(licenceTermsForm),
  }),
  pay: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/license-payment',
    access: 'update-location',
    location: 'id',
    summary: 'Begin to pay a licence of 1, 2 or 3 years; returns the page of the payment provider',
    params: idParams,
    body: payForm,
    reply: one(z.object({ id, url: z.string() })),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/license-payment/:paymentId',
    access: 'update-location',
    location: 'id',
    summary: 'One payment of a licence of a location',
    params: ofLocation,
    reply: one(licencePayment),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/license-payment',
    access: 'read-tenant',
    summary: 'Payments of licences, newest first',
    query: z.object({ ...pageQuery(), state: z.enum(purchaseStates).optional() }),
    reply: page(licencePayment),
  }),
  check: endpoint({
    method: 'POST',
    path: '/v1/panel/license-payment/:id/check',
    access: 'tenant-admin',
    summary: 'Ask the payment provider now what became of a payment of a licence',
    params: idParams,
    reply: one(licencePayment),
    status: 200,
  }),
  refund: endpoint({
    method: 'POST',
    path: '/v1/panel/license-payment/:id/refund',
    access: 'tenant-admin',
    summary: 'Pay a licence back: it ends as many years earlier, at the earliest now',
    params: idParams,
    body: licenceRefundForm,
    reply: one(licencePayment),
    status: 200,
  }),
} as const;
