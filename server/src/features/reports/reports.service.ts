import type { SalesByMonth, SalesTotal } from '@portico/contract/reports.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import * as queries from './reports.queries.ts';

const scopeOf = (actor: Actor, locationId: string | undefined) => (locationId ? actor.reach : actor.scope);
// Shown where nothing was sold yet: the first currency of a new profile.
const firstCurrency: queries.Currency = 'eur';

export async function totalSales(
  tx: Tx,
  actor: Actor,
  it: { period: queries.Period; locationId: string | undefined },
): Promise<SalesTotal> {
  const totals = await queries.sumSales(tx, scopeOf(actor, it.locationId), it);
  return { total: totals[0]?.total ?? 0, currency: totals[0]?.currency ?? firstCurrency, totals };
}

/** Twelve months up to this one (YYYY-MM), oldest first. */
function monthsUntil(last: string): string[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  );
}

export async function salesByMonth(tx: Tx, actor: Actor, locationId: string | undefined): Promise<SalesByMonth> {
  const rows = await queries.sumSalesByMonth(tx, scopeOf(actor, locationId), locationId);
  // East of Greenwich a month begins, and sells, while it has not begun by UTC.
  const last = [new Date().toISOString().slice(0, 7), rows.at(-1)?.month ?? ''].sort().at(-1)!;
  const labels = monthsUntil(last);
  const series = [...new Set(rows.map(row => row.currency))].map(currency => {
    const values = labels.map(month => rows.find(row => row.month === month && row.currency === currency)?.total ?? 0);
    return { currency, values, total: values.reduce((sum, value) => sum + value, 0) };
  });
  series.sort((a, b) => b.total - a.total);
  return {
    labels,
    values: series[0]?.values ?? labels.map(() => 0),
    currency: series[0]?.currency ?? firstCurrency,
    series: series.map(({ currency, values }) => ({ currency, values })),
  };
}
