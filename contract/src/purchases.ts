import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { calendarDay, id, idParams, pageQuery, queryFlag, text, time } from './fields.ts';
import { purchaseProviders } from './integration-names.ts';
import { purchaseProblems, purchaseStates } from './purchase-states.ts';
import { currencies } from './units.ts';

const named = z.object({ id, name: z.string() });

export const purchase = z.object({
  id,
  location: named.extend({ time_zone: z.string() }),
  /** The package as it was named in the language of the guest. */
  package: z.string(),
  package_id: id.nullable(),
  visitor: named.nullable(),
  /** `room`: charged to the hotel room of the guest. */
  provider: z.enum(purchaseProviders),
  /** The provider's id of the payment. */
  payment: z.string().nullable(),
  state: z.enum(purchaseStates),
  problem: z.enum(purchaseProblems).nullable(),
  /** The provider's answer, where it differs: `1200 usd`; the code with which a hotel system refused a charge: `NP`. */
  reported: z.string().nullable(),
  days: z.number(),
  /** In minor units, with tax. */
  unit_price: z.number(),
  amount: z.number(),
  /** The part of the amount that the provider has paid back while the rest stays paid. */
  returned: z.number(),
  /** The tax in the amount. */
  tax: z.number(),
  tax_rate: z.number(),
  currency: z.enum(currencies),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  refund_reason: z.string(),
  created_at: time,
  paid_at: time.nullable(),
  /** When the money went back. */
  refunded_at: time.nullable(),
});
export type Purchase = z.output<typeof purchase>;

export const refundForm = z.object({ reason: z.string().trim().min(1).max(500) });
export type RefundForm = z.output<typeof refundForm>;

const filter = {
  location_id: id.optional(),
  provider: z.enum(purchaseProviders).optional(),
  state: z.enum(purchaseStates).optional(),
  /** The first and the last day on which it was bought, on the clocks of its location. */
  first_day: calendarDay.optional(),
  last_day: calendarDay.optional(),
  /** The e-mail address, the phone number with its country code, or the provider’s id of the payment. */
  search: text.optional(),
};

/** The purchases of one provider in one currency that were paid. Amounts are in minor units, with tax. */
export const purchaseTotal = z.object({
  provider: z.enum(purchaseProviders),
  currency: z.enum(currencies),
  count: z.number(),
  paid: z.number(),
  /** The part that was refunded. */
  refunded: z.number(),
  /** The tax in what was paid and did not go back. */
  tax: z.number(),
});
export type PurchaseTotal = z.output<typeof purchaseTotal>;

export const purchasesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/purchase',
    access: 'view-clients',
    summary: 'Purchases of guests, newest first; with download=true all of them as purchases.csv',
    query: z.object({ ...pageQuery(), ...filter, download: queryFlag.optional() }),
    csvDownload: true,
    reply: page(purchase),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/v1/panel/purchase/totals',
    access: 'view-clients',
    summary: 'The sums of the paid purchases that match, per provider and currency',
    query: z.object(filter),
    reply: one(z.array(purchaseTotal)),
  }),
  check: endpoint({
    method: 'POST',
    path: '/v1/panel/purchase/:id/check',
    access: 'update-clients',
    summary: 'Ask the payment provider now what became of a purchase',
    params: idParams,
    reply: one(purchase),
    status: 200,
  }),
  refund: endpoint({
    method: 'POST',
    path: '/v1/panel/purchase/:id/refund',
    access: 'update-clients',
    summary: 'Pay a purchase back: the guest loses the days, and the sales report gets a reversal',
    params: idParams,
    body: refundForm,
    reply: one(purchase),
    status: 200,
  }),
} as const;
