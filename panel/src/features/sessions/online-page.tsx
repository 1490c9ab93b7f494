import type { OnlineSession } from '@portico/contract/sessions.ts';
import { IconBan, IconPlugConnectedX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Counts } from '#features/sessions/counts.tsx';
import { DeviceLink } from '#features/sessions/device-link.tsx';
import { OnlineGuest } from '#features/sessions/online-guest.tsx';
import { loadOnline, useBlock, useEndSession, useOnline } from '#features/sessions/sessions.api.ts';
import { useGuestFilters, useSessionSearch } from '#features/sessions/use-guest-filters.ts';
import { api } from '#lib/api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { matchingOf, useSelection } from '#ui/selection.ts';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { UsedBytes } from '#ui/used-bytes.tsx';

const SelectedSessions = lazyPart(() => import('#features/sessions/selected-sessions.tsx'), 'SelectedSessions');

export function OnlinePage() {
  const { t } = useTranslation(['sessions', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const sorting = useSorting(['started'], { by: 'started', order: 'desc' });
  const online = useOnline(search, sorting);
  const guestFilters = useGuestFilters();
  const sessionSearch = useSessionSearch();
  const kick = useEndSession();
  const { block } = useBlock();
  const layout = useTableLayout('online');
  const selection = useSelection((it: OnlineSession) => it.rhid);
  useLive('sessions', api.sessions.online);

  const guestName = (row: OnlineSession) => row.name ?? row.client_mac ?? t('unknown');
  const columns = useMemo<Column<OnlineSession>[]>(
    () => [
      { key: 'guest', label: t('guest'), cell: row => <OnlineGuest session={row} /> },
      { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac ?? '–', onPhone: true },
      { key: 'ip', label: t('ip'), nowrap: true, cell: row => <IpAddresses ipv4={row.client_ip} ipv6={row.ipv6} /> },
      {
        key: 'device',
        label: t('device'),
        cell: row => <DeviceLink session={row} />,
        from: 'md',
      },
      {
        key: 'since',
        label: t('since'),
        sort: { by: 'started', first: 'desc' },
        nowrap: true,
        cell: row => <RelativeTime time={row.session_start_time} />,
        onPhone: 'labelled',
      },
      {
        key: 'download',
        label: t('download'),
        cell: row => <UsedBytes session={row} of="download" />,
        numeric: true,
        from: 'lg',
      },
      {
        key: 'upload',
        label: t('upload'),
        cell: row => <UsedBytes session={row} of="upload" />,
        numeric: true,
        from: 'lg',
      },
    ],
    [t],
  );
  const actions = (row: OnlineSession) => [
    can('update-clients') && {
      label: t('end'),
      icon: IconPlugConnectedX,
      onClick: () => kick.mutate(row),
      reason: row.endable ? undefined : t('unendable.one'),
    },
    can('update-devices') &&
      row.client_mac !== null && { label: t('block'), icon: IconBan, onClick: () => block(row), danger: true },
  ];

  return (
    <>
      <PageHeader title={t('online')} count={online.data?.meta.total} />
      <Counts />
      <FilterBar search={sessionSearch} filters={guestFilters}>
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        label={t('online')}
        query={online}
        columns={columns}
        sorting={sorting}
        layout={layout}
        selection={can('update-clients') ? selection : undefined}
        rowKey={row => row.rhid}
        rowName={guestName}
        rowActions={(can('update-clients') || can('update-devices')) && actions}
        filtered={['search', 'mac', 'ip', 'devices']}
        empty={{ drawing: 'waves', title: t('onlineEmptyTitle'), text: t('onlineEmptyText') }}
      />
      {selection.rows.size > 0 && (
        <SelectedSessions
          selection={selection}
          matching={matchingOf(online, most => loadOnline(search, sorting, most))}
        />
      )}
    </>
  );
}
