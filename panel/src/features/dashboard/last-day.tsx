import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { bucketLabel } from '#features/dashboard/bucket-label.ts';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { type ListSearch, listOf } from '#lib/search.ts';
import { everyMinute } from '#lib/use-live.ts';
import { LineChart } from '#ui/line-chart.tsx';
import { NoData, Panel } from '#ui/panel.tsx';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Visits of the last 24 hours beside those of the day before and of a week before: of a device, else of the dashboard's filter. */
export function LastDay(props: { deviceId: string } | { search: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const query = useQuery({
    ...queryOf(api.statistics.lastDay, {
      query:
        'deviceId' in props
          ? { deviceIds: [props.deviceId] }
          : { locationIds: listOf(props.search.locations), deviceIds: listOf(props.search.devices) },
    }),
    ...everyMinute,
  });
  const { labels, values, yesterday, last_week } = query.data?.data ?? {
    labels: [],
    values: [],
    yesterday: [],
    last_week: [],
  };
  const series = [
    { name: t('lastDay.now'), values },
    { name: t('lastDay.yesterday'), values: yesterday },
    { name: t('lastDay.lastWeek'), values: last_week },
  ];
  return (
    <Panel
      title={t('lastDay.title')}
      note={query.data && t('lastDay.total', { count: sum(values), total: formatNumber(sum(values)) })}
      query={query}
      empty={sum([...values, ...yesterday, ...last_week]) === 0 && <NoData />}
    >
      <LineChart
        label={t('lastDay.title')}
        rowLabel={t('time')}
        format={formatNumber}
        series={series.map(each => ({ ...each, note: formatNumber(sum(each.values)) }))}
        points={labels.map(label => bucketLabel(label, 'hour', labels.length))}
      />
    </Panel>
  );
}
