import { Button } from '@mantine/core';
import type { SessionRow } from '@portico/contract/sessions.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Guest } from '#features/sessions/guest.tsx';
import { readPeriod, standardPeriod } from '#features/sessions/period.ts';
import { PeriodEditor } from '#features/sessions/period-editor.tsx';
import { useDownloadHistory, useHistory } from '#features/sessions/sessions.api.ts';
import { useGuestFilters, useNameSearch } from '#features/sessions/use-guest-filters.ts';
import { api } from '#lib/api.ts';
import { formatDateTime, formatDay, formatMegabytes } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { StatusDot } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { UsedBytes } from '#ui/used-bytes.tsx';

export function HistoryPage() {
  const { t } = useTranslation('sessions');
  const [search] = useListSearch();
  const history = useHistory(search);
  const guestFilters = useGuestFilters();
  const nameSearch = useNameSearch();
  const file = useDownloadHistory();
  const layout = useTableLayout('history');
  useLive('sessions', api.sessions.history);

  const describe = (value: string) => {
    const { name, days } = readPeriod(value);
    return name ? t(`period.${name}`) : days.map(formatDay).join(' – ');
  };
  const columns: Column<SessionRow>[] = [
    { key: 'guest', label: t('guest'), cell: row => <Guest name={row.client?.name ?? null} client={row.client} /> },
    { key: 'phone', label: t('phone'), nowrap: true, cell: row => row.client?.phone ?? '–', from: 'lg' },
    { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
    {
      key: 'ip',
      label: t('ip'),
      nowrap: true,
      cell: row => <IpAddresses ipv4={row.client_ip} ipv6={row.ipv6} />,
      from: 'md',
    },
    { key: 'device', label: t('device'), cell: row => row.device?.name ?? '–', from: 'lg' },
    {
      key: 'start',
      label: t('start'),
      nowrap: true,
      cell: row => formatDateTime(row.started_at),
      onPhone: true,
    },
    {
      key: 'end',
      label: t('ended'),
      nowrap: true,
      cell: row => (row.ended_at ? formatDateTime(row.ended_at) : <StatusDot tone="good">{t('kick.none')}</StatusDot>),
      onPhone: true,
    },
    {
      key: 'download',
      label: t('downloadMb'),
      cell: row => <UsedBytes session={row} of="download" format={formatMegabytes} />,
      numeric: true,
    },
    {
      key: 'upload',
      label: t('uploadMb'),
      cell: row => <UsedBytes session={row} of="upload" format={formatMegabytes} />,
      numeric: true,
    },
  ];

  return (
    <>
      <PageHeader title={t('history')} count={history.data?.meta.total}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={file.isPending}
          onClick={() => file.mutate(search)}
          disabled={!history.data?.meta.total}
        >
          {t('csv')}
        </Button>
      </PageHeader>
      <FilterBar
        search={nameSearch}
        filters={[
          {
            key: 'period',
            label: t('periodLabel'),
            kind: 'custom',
            standard: standardPeriod,
            describe,
            editor: (value, set) => <PeriodEditor value={value} onChange={set} />,
          },
          ...guestFilters,
        ]}
      >
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        label={t('history')}
        query={history}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => row.client?.name ?? row.client_mac ?? row.id}
        empty={{ drawing: 'clock', title: t('historyEmptyTitle'), text: t('historyEmptyText') }}
      />
    </>
  );
}
