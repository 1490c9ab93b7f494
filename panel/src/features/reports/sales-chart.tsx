import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSalesByMonth } from '#features/reports/reports.api.ts';
import { dateFormat } from '#lib/date-format.ts';
import { formatMoney } from '#lib/format.ts';
import { language } from '#lib/language.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/panel.tsx';

/** The name of a month. UTC on both sides avoids a shift to the neighbouring month. */
const monthName = (month: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', { ...options, timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Sales of the last twelve months in one currency, with a switch for the others. */
export function SalesChart() {
  const { t } = useTranslation(['reports', 'common']);
  const [search, change] = useListSearch();
  const query = useSalesByMonth();
  const { active_location, time_zone: zone } = useUser();
  const none = active_location ? t('noSales') : t('noSalesAll', { zone });
  const data = query.data?.data;
  const sold = data?.series.filter(({ values }) => values.some(value => value > 0)) ?? [];
  const shown = sold.find(({ currency }) => currency === search.currency) ?? sold[0];
  const unit = shown && t('inCurrency', { currency: shown.currency.toUpperCase() });
  return (
    <Panel
      title={t('byMonth')}
      note={unit}
      query={query}
      empty={!shown && <EmptyState drawing="gauge" title={t('common:notEnough.title')} text={none} />}
      control={
        sold.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('currency')}
            value={shown?.currency ?? ''}
            onChange={currency => change({ currency: currency === sold[0]?.currency ? undefined : currency })}
            data={sold.map(({ currency }) => ({ value: currency, label: currency.toUpperCase() }))}
          />
        )
      }
    >
      {data && shown && (
        <BarChart
          label={`${t('byMonth')}, ${unit}`}
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
    </Panel>
  );
}
