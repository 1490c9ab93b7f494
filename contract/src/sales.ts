import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, pageQuery, time, whole } from './fields.ts';
import { currencies } from './units.ts';

const named = z.object({ id, name: z.string() });

/**
 * Days sold to a visitor, or their reversal: `days` and `total` are below 0 then, and `reverses` is the sale. `reversed_days`: how many
 * days of a sale were taken back.
 */
export const sale = z.object({
  id,
  days: z.number(),
  reversed_days: z.number(),
  unit_price: z.number(),
  currency: z.enum(currencies),
  total: z.number(),
  profile: named.nullable(),
  /** Null once the visitor was deleted. */
  visitor: named.nullable(),
  location: named,
  sold_at: time,
  reverses: id.nullable(),
  reason: z.string(),
});
export type Sale = z.output<typeof sale>;

export const reversalForm = z.object({
  /** Left out: all days of the sale that were not taken back yet. */
  days: whole(1, 3650).nullish(),
  reason: z.string().trim().min(1).max(500),
});
export type ReversalForm = z.output<typeof reversalForm>;

export const salesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/sales',
    access: 'view-clients',
    summary: 'Sales and their reversals, the newest first',
    query: z.object({ ...pageQuery(), location_id: id.optional() }),
    reply: page(sale),
  }),
  reverse: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/sales/:id/reverse',
    access: 'update-clients',
    summary: 'Take a sale back, wholly or in part: the visitor loses the days, and the reason is recorded',
    params: idParams,
    body: reversalForm,
    reply: one(sale),
    status: 201,
  }),
} as const;
