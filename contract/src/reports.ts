import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id } from './fields.ts';
import { currencies } from './units.ts';

const currency = z.enum(currencies);

/** Sales of a period. `totals`: one per currency, the largest first; `total` and `currency` are the first of them. */
export const salesTotal = z.object({
  total: z.number(),
  currency,
  totals: z.array(z.object({ total: z.number(), currency })),
});
export type SalesTotal = z.output<typeof salesTotal>;

/** Sales of the last twelve months, this one last. `values` are those of `currency`; `series` has every currency. */
export const salesByMonth = z.object({
  /** Months as YYYY-MM. */
  labels: z.array(z.string()),
  values: z.array(z.number()),
  currency,
  series: z.array(z.object({ currency, values: z.array(z.number()) })),
});
export type SalesByMonth = z.output<typeof salesByMonth>;

const query = z.object({ location_id: id.optional() });
const total = <P extends `/v1/${string}`>(path: P, summary: string) =>
  endpoint({ method: 'GET', path, access: 'view-basic-stats', summary, query, reply: one(salesTotal) });

export const reportsApi = {
  byMonth: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/total-sales-by-month',
    access: 'view-basic-stats',
    summary: 'Sales of the last twelve months',
    query,
    reply: one(salesByMonth),
  }),
  today: total('/v1/panel/reports/total-sales-today', 'Sales of today'),
  week: total('/v1/panel/reports/total-sales-week', 'Sales of this week, from Monday'),
  month: total('/v1/panel/reports/total-sales-current-month', 'Sales of this month'),
  year: total('/v1/panel/reports/total-sales-current-year', 'Sales of this year'),
} as const;
