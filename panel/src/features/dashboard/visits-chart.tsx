import { SegmentedControl } from '@mantine/core';
import type { Visits } from '@portico/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { bucketLabel } from '#features/dashboard/bucket-label.ts';
import { useVisits } from '#features/dashboard/dashboard.api.ts';
import { formatBytes, formatNumber } from '#lib/format.ts';
import { type ListSearch, useListSearch } from '#lib/search.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { NoData, Panel } from '#ui/panel.tsx';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const noVisits: Visits = { bucket: 'day', labels: [], values: [], upload: [], download: [] };

/** Visits or traffic over time. */
export function VisitsChart({ search }: { search: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const query = useVisits(search);
  const { bucket, labels, values, upload, download } = query.data?.data ?? noVisits;
  const bandwidth = search.chart === 'bandwidth';
  const previous = query.data?.data.previous;
  const before =
    previous && (bandwidth ? previous.download.map((value, i) => value + (previous.upload[i] ?? 0)) : previous.values);
  const beforeTotal = before && (bandwidth ? formatBytes : formatNumber)(sum(before));
  const total = bandwidth ? formatBytes(sum(upload) + sum(download)) : formatNumber(query.data?.meta.total ?? 0);
  const title = t(bandwidth ? 'bandwidth' : 'visits');
  return (
    <Panel
      title={title}
      note={
        query.data &&
        [t('totalOf', { total, bucket: t(`bucket.${bucket}`) }), beforeTotal && t('beforeIs', { value: beforeTotal })]
          .filter(Boolean)
          .join(' · ')
      }
      query={query}
      empty={sum(bandwidth ? [...upload, ...download] : values) === 0 && <NoData />}
      control={<ChartChoice />}
    >
      <BarChart
        label={`${title}, ${t(`bucket.${bucket}`)}`}
        rowLabel={t('time')}
        thickness={20}
        bytes={bandwidth}
        format={bandwidth ? formatBytes : formatNumber}
        before={before && t('before')}
        series={bandwidth ? [t('download'), t('upload')] : [t('visits')]}
        bars={labels.map((label, i) => ({
          ...bucketLabel(label, bucket, labels.length),
          values: bandwidth ? [download[i] ?? 0, upload[i] ?? 0] : [values[i] ?? 0],
          before: before?.[i],
        }))}
      />
    </Panel>
  );
}

/** Reads the address itself, so that a press is shown before the chart is drawn again. */
function ChartChoice() {
  const { t } = useTranslation('dashboard');
  const [search, change] = useListSearch();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('chartShows')}
      value={search.chart === 'bandwidth' ? 'bandwidth' : 'visits'}
      onChange={chart => change({ chart: chart === 'visits' ? undefined : chart })}
      data={[
        { value: 'visits', label: t('visits') },
        { value: 'bandwidth', label: t('bandwidth') },
      ]}
    />
  );
}
