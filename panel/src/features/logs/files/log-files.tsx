import { Button } from '@mantine/core';
import type { LogFile } from '@portico/contract/logs.ts';
import { IconActivity, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FileState } from '#features/logs/files/file-state.tsx';
import { DroppedLines, RecordFacts, RecordNotices } from '#features/logs/files/legal-record.tsx';
import { formatLocal } from '#features/logs/log-format.ts';
import { useLogFiles, useLogRecord, useLogSources } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { useLogPeriod } from '#features/logs/period/log-period-filter.tsx';
import { LogSources, QuarantineNotice } from '#features/logs/sources/log-sources.tsx';
import { api } from '#lib/api.ts';
import { formatBytes, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { Below } from '#ui/below.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';

const LiveTail = lazyPart(() => import('#features/logs/tail/live-tail.tsx'), 'LiveTail', 'in-place');

const types = ['firewall', 'dhcp', 'proxy'] as const;
const dayForm = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** The legal record of a device: log files by day and type, the state of the hash chain, and dropped lines. */
export function LogFiles({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('logs');
  const [search, change] = useListSearch();
  const files = useLogFiles(deviceId, search);
  const record = useLogRecord(deviceId);
  const sources = useLogSources(deviceId);
  const period = useLogPeriod(t('allDays'));
  useLive('logs', api.logs.list, api.logs.record, api.logSources.list);
  useLive('log-sources', api.logSources.list);
  const day = ({ day, part }: LogFile) => {
    const text = formatLocal(day, dayForm);
    return part > 1 ? t('partOf', { day: text, part }) : text;
  };
  const columns: Column<LogFile>[] = [
    { key: 'day', label: t('day'), nowrap: true, cell: day },
    { key: 'type', label: t('type'), nowrap: true, cell: row => t(`types.${row.type}`), onPhone: true },
    { key: 'lines', label: t('linesOf'), numeric: true, cell: row => formatNumber(row.lines), onPhone: 'labelled' },
    { key: 'bytes', label: t('size'), numeric: true, cell: row => formatBytes(row.bytes), from: 'md' },
    { key: 'state', label: t('state'), cell: row => <FileState file={row} />, onPhone: true },
    {
      key: 'hash',
      label: 'SHA-256',
      nowrap: true,
      from: 'lg',
      cell: row =>
        row.sha256 ? (
          <span className={classes.hash}>
            <code title={row.sha256}>{row.sha256.slice(0, 12)}…</code>
            <CopyButton value={row.sha256} label="SHA-256" />
          </span>
        ) : (
          '–'
        ),
    },
    {
      key: 'download',
      onPhone: true,
      inCorner: true,
      label: t('file'),
      nowrap: true,
      cell: row => (
        <a
          className={classes.download}
          href={row.download_url}
          target="_blank"
          rel="noopener"
          aria-label={t('downloadOf', { day: day(row), type: t(`types.${row.type}`) })}
        >
          <IconDownload size={16} aria-hidden />
          {t('download')}
        </a>
      ),
    },
  ];
  return (
    <>
      <RecordNotices record={record.data?.data} />
      <QuarantineNotice deviceId={deviceId} query={sources} />
      <FilterBar
        filters={[
          period,
          {
            key: 'types',
            label: t('type'),
            kind: 'options',
            startsFull: true,
            options: types.map(value => ({ value, label: t(`types.${value}`) })),
          },
        ]}
      >
        {!search.live && (
          <Button variant="default" leftSection={<IconActivity size={16} />} onClick={() => change({ live: '1' })}>
            {t('tail.open')}
          </Button>
        )}
      </FilterBar>
      {search.live && <LiveTail deviceId={deviceId} onClose={() => change({ live: undefined })} />}
      <ListTable
        label={t('files')}
        query={files}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => `${day(row)} ${t(`types.${row.type}`)}`}
        filtered={['start_at', 'end_at', 'types']}
        empty={{ drawing: 'clock', title: t('emptyTitle'), text: t('emptyText') }}
      />
      <Below list={files}>
        <div className={classes.record}>
          <RecordFacts deviceId={deviceId} query={record} />
          <DroppedLines query={record} />
          <LogSources deviceId={deviceId} query={sources} />
        </div>
      </Below>
    </>
  );
}
