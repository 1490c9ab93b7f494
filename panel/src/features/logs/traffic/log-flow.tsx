import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatLocal } from '#features/logs/log-format.ts';
import { intervalOf, useHistogram } from '#features/logs/logs.api.ts';
import { type LogInterval, mergeBuckets } from '#features/logs/traffic/buckets.ts';
import { formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Nothing, Panel } from '#ui/panel.tsx';

const intervals = ['day', 'hour', 'minute'] as const;

const shortForm = (interval: LogInterval, count: number): Intl.DateTimeFormatOptions => {
  if (interval === 'day') return { day: 'numeric', month: 'short' };
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  return interval === 'hour' && count > 25 ? { weekday: 'short', hour: '2-digit' } : clock;
};
const fullForm = (interval: LogInterval): Intl.DateTimeFormatOptions => ({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  ...(interval === 'day' ? { year: 'numeric' } : { hour: '2-digit', minute: '2-digit' }),
});

/** A histogram of the log lines of a device. */
export function LogFlow({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('logs');
  const [search, change] = useListSearch();
  const { interval, fitting } = intervalOf(search);
  const query = useHistogram(deviceId, search);
  const { step, bars } = mergeBuckets(query.data?.data ?? [], interval);
  const total = bars.reduce((sum, bar) => sum + bar.doc_count, 0);
  const per = t(`per.${interval}`, { count: step });
  return (
    <Panel
      title={t('flow')}
      note={query.data && `${t('lines', { count: total, total: formatNumber(total) })}, ${per}`}
      query={query}
      empty={total === 0 && <Nothing>{t('flowEmpty')}</Nothing>}
      control={
        <SegmentedControl
          size="xs"
          aria-label={t('interval')}
          value={interval}
          onChange={value => change({ interval: value === 'minute' ? undefined : value })}
          data={intervals.map(value => ({
            value,
            label: t(`by.${value}`),
            disabled: !fitting.includes(value),
          }))}
        />
      }
    >
      <BarChart
        label={`${t('flow')}, ${per}`}
        rowLabel={t('time')}
        thickness={20}
        format={formatNumber}
        series={[t('linesOf')]}
        bars={bars.map(({ key_as_string, doc_count }) => ({
          label: formatLocal(key_as_string, fullForm(interval)),
          short: formatLocal(key_as_string, shortForm(interval, bars.length)),
          values: [doc_count],
        }))}
      />
    </Panel>
  );
}
