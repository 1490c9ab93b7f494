import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { calendarDay, id, idParams, pageQuery, queryFlag, time, whole } from './fields.ts';
import { roomChargeStates } from './integration-names.ts';
import { currencies } from './units.ts';

export const saleKinds = ['days', 'voucher'] as const;

const named = z.object({ id, name: z.string() });

/**
 * A sale of days or of a voucher to a visitor, or a reversal. A reversal has negative `days` and `total`, and the id of the
 * sale in `reverses`. `reversed_days`: the number of reversed days of a sale.
 */
export const sale = z.object({
  id,
  /** A voucher counts as one day. */
  kind: z.enum(saleKinds),
  days: z.number(),
  reversed_days: z.number(),
  unit_price: z.number(),
  currency: z.enum(currencies),
  total: z.number(),
  profile: named.nullable(),
  /** The batch of a voucher, or the package of a purchase as it was named in the language of the guest. */
  item: z.string().nullable(),
  /** Null once the visitor was deleted. */
  visitor: named.nullable(),
  location: named,
  sold_at: time,
  reverses: id.nullable(),
  reason: z.string(),
  /** The purchase on the portal; null for a sale by the staff. */
  purchase_id: id.nullable(),
  /** The state of the charge to the hotel room; null: the sale was not charged to one. */
  room_charge: z.enum(roomChargeStates).nullable(),
});
export type Sale = z.output<typeof sale>;

export const reversalForm = z.object({
  /** Default: all days of the sale that are not reversed yet. */
  days: whole(1, 3650).nullish(),
  reason: z.string().trim().min(1).max(500),
});
export type ReversalForm = z.output<typeof reversalForm>;

export const salesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/sales',
    access: 'view-clients',
    summary: 'Sales and reversals, newest first; with download=true all of them as sales.csv',
    query: z.object({
      ...pageQuery(),
      location_id: id.optional(),
      /** The first and the last day of the sales, on the clocks of their location. */
      first_day: calendarDay.optional(),
      last_day: calendarDay.optional(),
      download: queryFlag.optional(),
    }),
    csvDownload: true,
    reply: page(sale),
  }),
  reverse: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/sales/:id/reverse',
    access: 'update-clients',
    summary: 'Reverse a sale or some of its days: the visitor loses the days, and the reason is recorded',
    params: idParams,
    body: reversalForm,
    reply: one(sale),
    status: 201,
  }),
} as const;
