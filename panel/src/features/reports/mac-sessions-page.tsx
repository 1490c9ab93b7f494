import { Button } from '@mantine/core';
import { formatMac } from '@portico/contract/mac.ts';
import type { MacSession } from '@portico/contract/sessions.ts';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlockMac, useDeviceNames, useMacSessions } from '#features/reports/reports.api.ts';
import classes from '#features/reports/reports.module.css';
import { formatBytes, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useSorting } from '#ui/sorting.ts';
import { StatusDot } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** Guest devices with more than one session. */
export function MacSessionsPage() {
  const { t } = useTranslation(['reports', 'common']);
  const mayBlock = useCan()('update-devices');
  const [search] = useListSearch();
  const sorting = useSorting(['sessions'], { by: 'sessions', order: 'desc' });
  const layout = useTableLayout('multiple-sessions');
  const rows = useMacSessions(search, sorting);
  const names = useDeviceNames();
  const block = useBlockMac();
  const [blocking, setBlocking] = useState<MacSession>();

  const columns: Column<MacSession>[] = [
    { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac },
    {
      key: 'guest',
      label: t('guest'),
      cell: row => (row.client ? row.client.name || t('erased') : '–'),
      onPhone: true,
    },
    {
      key: 'total',
      label: t('sessions'),
      sort: { by: 'sessions', first: 'desc' },
      cell: row => (
        <span>
          {formatNumber(row.total)} <span className={classes.onPhone}>{t('sessionsOf', { count: row.total })}</span>
        </span>
      ),
      numeric: true,
      onPhone: true,
    },
    { key: 'ip', label: t('lastIp'), nowrap: true, cell: row => row.accounting.framedipaddress ?? '–', from: 'lg' },
    ...(names.size > 0
      ? [
          {
            key: 'device',
            label: t('device'),
            cell: (row: MacSession) => names.get(row.device_id) ?? '–',
            from: 'lg' as const,
          },
        ]
      : []),
    {
      key: 'start',
      label: t('lastStart'),
      nowrap: true,
      cell: row => <RelativeTime time={row.accounting.acctstarttime} />,
    },
    {
      key: 'stop',
      label: t('lastStop'),
      nowrap: true,
      cell: row =>
        row.accounting.acctstoptime ? (
          <RelativeTime time={row.accounting.acctstoptime} />
        ) : (
          <StatusDot tone="good">{t('online')}</StatusDot>
        ),
      from: 'md',
      onPhone: 'labelled',
    },
    {
      key: 'bytes',
      label: t('lastBytes'),
      cell: row =>
        row.figures_reported ? (
          formatBytes(row.accounting.acctinputoctets + row.accounting.acctoutputoctets)
        ) : (
          <small>{t('common:notReported')}</small>
        ),
      numeric: true,
      from: 'md',
    },
    ...(mayBlock
      ? [
          {
            key: 'block',
            label: t('common:list.actions'),
            cell: (row: MacSession) => (
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconBan size={14} />}
                aria-label={`${t('block')}: ${row.client_mac}`}
                onClick={() => setBlocking(row)}
              >
                {t('block')}
              </Button>
            ),
            numeric: true,
            onPhone: true,
            inCorner: true,
          },
        ]
      : []),
  ];

  return (
    <>
      <PageHeader title={t('macSessions')} count={rows.data?.meta.total} description={t('macSessionsHelp')} />
      <FilterBar filters={[{ key: 'mac', label: t('mac'), kind: 'text', placeholder: 'A1:B2', format: formatMac }]}>
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        label={t('macSessions')}
        query={rows}
        columns={columns}
        sorting={sorting}
        layout={layout}
        rowKey={row => `${row.client_mac} ${row.device_id}`}
        rowName={row => row.client_mac}
        filtered={['mac']}
        empty={{ drawing: 'waves', title: t('macEmptyTitle'), text: t('macEmptyText') }}
      />
      {blocking && (
        <Confirm
          opened
          title={t('blockTitle', { mac: blocking.client_mac })}
          text={t('blockText')}
          confirm={t('block')}
          cancel={t('common:cancel')}
          danger
          pending={block.isPending}
          onConfirm={() => block.mutate(blocking, { onSuccess: () => setBlocking(undefined) })}
          onClose={() => setBlocking(undefined)}
        />
      )}
    </>
  );
}
