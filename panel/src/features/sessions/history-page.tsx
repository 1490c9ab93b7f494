import type { SessionRow } from '@portico/contract/sessions.ts';
import { IconFileImport, IconUserSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Guest } from '#features/sessions/guest.tsx';
import { readPeriod, standardPeriod } from '#features/sessions/period.ts';
import { PeriodEditor } from '#features/sessions/period-editor.tsx';
import { useDownloadHistory, useHistory } from '#features/sessions/sessions.api.ts';
import { useGuestFilters, useSessionSearch } from '#features/sessions/use-guest-filters.ts';
import { api } from '#lib/api.ts';
import { formatDateTime, formatDay, formatMegabytes } from '#lib/format.ts';
import { useCan, useLimited } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { localTimeIn } from '#lib/time-zone.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useSorting } from '#ui/sorting.ts';
import { StatusDot } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { UsedBytes } from '#ui/used-bytes.tsx';

export function HistoryPage() {
  const { t } = useTranslation('sessions');
  const [search] = useListSearch();
  const sorting = useSorting(['started'], { by: 'started', order: 'desc' });
  const history = useHistory(search, sorting);
  const guestFilters = useGuestFilters();
  const sessionSearch = useSessionSearch();
  const file = useDownloadHistory();
  const layout = useTableLayout('history', ['why']);
  useLive('sessions', api.sessions.history);

  const mayAsk = useCan()('view-identity');
  // Imported sessions belong to no device.
  const isLimited = useLimited();
  const navigate = useNavigate();
  const timeZone = useUser().time_zone;
  /** Opens the question about the session. A second later than the start, which has fractions of a second. */
  const ask = ({ client_ip, client_mac, started_at }: SessionRow) => {
    const at = localTimeIn(timeZone, new Date(Date.parse(started_at) + 1000).toISOString(), 'medium');
    const search = { address: client_ip ?? undefined, mac: client_mac ?? undefined, at };
    void navigate({ to: '/reports/who-was-it', search });
  };
  const actions = (row: SessionRow) => [
    row.client_ip !== null && { label: t('whoWasIt'), icon: IconUserSearch, onClick: () => ask(row) },
  ];

  const describe = (value: string) => {
    const { name, days } = readPeriod(value);
    return name ? t(`period.${name}`) : days.map(formatDay).join(' – ');
  };
  const columns = useMemo<Column<SessionRow>[]>(
    () => [
      { key: 'guest', label: t('guest'), cell: row => <Guest name={row.client?.name ?? null} client={row.client} /> },
      { key: 'phone', label: t('phone'), nowrap: true, cell: row => row.client?.phone ?? '–', from: 'xl' },
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
        sort: { by: 'started', first: 'desc' },
        nowrap: true,
        cell: row => formatDateTime(row.started_at),
        onPhone: 'labelled',
      },
      {
        key: 'end',
        label: t('ended'),
        nowrap: true,
        cell: row =>
          row.ended_at ? formatDateTime(row.ended_at) : <StatusDot tone="good">{t('kick.none')}</StatusDot>,
        onPhone: 'labelled',
      },
      {
        key: 'why',
        label: t('why'),
        cell: row => (row.close_reason ? t(`closeReason.${row.close_reason}`) : '–'),
        onPhone: 'labelled',
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
        from: 'md',
      },
    ],
    [t],
  );

  return (
    <>
      <PageHeader
        title={t('history')}
        count={history.data?.meta.total}
        more={
          isLimited
            ? []
            : [
                {
                  label: t('imported'),
                  icon: IconFileImport,
                  onClick: () => void navigate({ to: '/reports/imported-sessions' }),
                },
              ]
        }
      >
        <FileButton
          label={t('csv')}
          loading={file.isPending}
          onClick={() => file.mutate(search)}
          disabled={!history.data?.meta.total}
        />
      </PageHeader>
      <FilterBar
        search={sessionSearch}
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
        sorting={sorting}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => row.client?.name ?? row.client_mac ?? row.id}
        rowActions={mayAsk && actions}
        filtered={['search', 'mac', 'ip', 'devices']}
        empty={{ drawing: 'clock', title: t('historyEmptyTitle'), text: t('historyEmptyText') }}
      />
    </>
  );
}
