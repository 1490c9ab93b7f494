import type { SalesByMonth, SalesTotal } from '@portico/contract/reports.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import * as queries from './reports.queries.ts';

const scopeOf = (actor: Actor, locationId: string | undefined) => (locationId ? actor.reach : actor.scope);
// Shown if there are no sales and no paid profiles. It is the default of a new profile.
const firstCurrency: queries.Currency = 'eur';

export async function totalSales(
  tx: Tx,
  actor: Actor,
  it: { period: queries.Period; locationId: string | undefined },
): Promise<SalesTotal> {
  const scope = scopeOf(actor, it.locationId);
  const totals = await queries.sumSales(tx, scope, it);
  if (totals[0]) return { ...totals[0], totals };
  const { currency } = await queries.salesFrame(tx, scope, it.locationId);
  return { total: 0, currency: currency ?? firstCurrency, totals };
}

/** The twelve months (YYYY-MM) up to this one, oldest first. */
function monthsUntil(last: string): string[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  );
}

export async function salesByMonth(tx: Tx, actor: Actor, locationId: string | undefined): Promise<SalesByMonth> {
  const scope = scopeOf(actor, locationId);
  const [rows, frame] = await Promise.all([
    queries.sumSalesByMonth(tx, scope, locationId),
    queries.salesFrame(tx, scope, locationId),
  ]);
  const labels = monthsUntil(frame.month ?? new Date().toISOString().slice(0, 7));
  const series = [...new Set(rows.map(row => row.currency))].map(currency => {
    const values = labels.map(month => rows.find(row => row.month === month && row.currency === currency)?.total ?? 0);
    return { currency, values, total: values.reduce((sum, value) => sum + value, 0) };
  });
  series.sort((a, b) => b.total - a.total);
  return {
    labels,
    values: series[0]?.values ?? labels.map(() => 0),
    currency: series[0]?.currency ?? frame.currency ?? firstCurrency,
    series: series.map(({ currency, values }) => ({ currency, values })),
  };
}
