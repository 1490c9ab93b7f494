import type { SalesByMonth, SalesTotal } from '@portico/contract/reports.ts';
import type { Tx } from '#db/tenant.ts';
import * as queries from './reports.queries.ts';

// Shown if there are no sales and no paid profiles. It is the default of a new profile.
const firstCurrency: queries.Currency = 'eur';

export async function totalSales(tx: Tx, reader: queries.Reader, period: queries.Period): Promise<SalesTotal> {
  const totals = await queries.sumSales(tx, reader, period);
  if (totals[0]) return { ...totals[0], totals };
  const { currency } = await queries.salesFrame(tx, reader);
  return { total: 0, currency: currency ?? firstCurrency, totals };
}

/** The twelve months (YYYY-MM) up to this one, oldest first. */
function monthsUntil(last: string): string[] {
  const [year = 0, month = 0] = last.split('-').map(Number);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  );
}

export async function salesByMonth(tx: Tx, reader: queries.Reader): Promise<SalesByMonth> {
  const [rows, frame] = await Promise.all([queries.sumSalesByMonth(tx, reader), queries.salesFrame(tx, reader)]);
  const labels = monthsUntil(frame.month);
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
