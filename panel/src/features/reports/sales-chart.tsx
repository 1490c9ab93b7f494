import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSalesByMonth } from '#features/reports/reports.api.ts';
import classes from '#features/reports/reports.module.css';
import { formatMoney } from '#lib/format.ts';
import { language } from '#lib/language.ts';
import { useListSearch } from '#lib/search.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** A month's name; its first day as UTC, printed as UTC, is that month everywhere. */
const monthName = (month: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', { ...options, timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Sales of the last twelve months in one currency; the others are a click away. */
export function SalesChart() {
  const { t } = useTranslation(['reports', 'common']);
  const [search, change] = useListSearch();
  const query = useSalesByMonth();
  const data = query.data?.data;
  const sold = data?.series.filter(({ values }) => values.some(value => value > 0)) ?? [];
  const shown = sold.find(({ currency }) => currency === search.currency) ?? sold[0];
  return (
    <section className={classes.panel} aria-labelledby="sales-by-month">
      <header>
        <h2 id="sales-by-month">{t('byMonth')}</h2>
        {shown && <span>{t('inCurrency', { currency: shown.currency.toUpperCase() })}</span>}
        {sold.length > 1 && (
          <div>
            <SegmentedControl
              size="xs"
              aria-label={t('currency')}
              value={shown?.currency ?? ''}
              onChange={currency => change({ currency: currency === sold[0]?.currency ? undefined : currency })}
              data={sold.map(({ currency }) => ({ value: currency, label: currency.toUpperCase() }))}
            />
          </div>
        )}
      </header>
      {data && shown && (
        <BarChart
          label={`${t('byMonth')}, ${t('inCurrency', { currency: shown.currency.toUpperCase() })}`}
          rowLabel={t('month')}
          series={[t('sales')]}
          thickness={15}
          format={value => formatMoney(value, shown.currency)}
          bars={data.labels.map((month, i) => ({
            label: monthName(month, { month: 'long', year: 'numeric' }),
            short: monthName(month, { month: 'short', ...((i === 0 || month.endsWith('-01')) && { year: '2-digit' }) }),
            values: [shown.values[i] ?? 0],
          }))}
        />
      )}
      {data && !shown && <EmptyState drawing="gauge" title={t('common:notEnough.title')} text={t('noSales')} />}
      {!data &&
        (query.error ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className={classes.waiting} role="status" aria-label={t('common:loading')} />
        ))}
    </section>
  );
}
