import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { OnlineSession, SessionRow } from '@portico/contract/sessions.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { useOnlineAt, useRecentSessions } from '#features/devices/users/device-users.api.ts';
import { EndReason, Guest, OnlineGuest, useEndSession } from '#features/sessions/public.ts';
import { api } from '#lib/api.ts';
import { formatDateTime } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { Below } from '#ui/below.tsx';
import type { Column } from '#ui/data-table.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { UsedBytes } from '#ui/used-bytes.tsx';

/** The guests of a device: those online now, and the sessions of the last seven days. */
export function DeviceUsersPage() {
  useLive('sessions', api.sessions.online, api.sessions.history);
  return <DeviceScreen>{device => <Lists device={device} />}</DeviceScreen>;
}

function Lists({ device }: { device: DeviceDetail }) {
  const online = useOnlineAt(device.id, { per_page: 200 });
  return (
    <>
      <Online online={online} />
      <Below list={online}>
        <Recent device={device} />
      </Below>
    </>
  );
}

function Online({ online }: { online: ReturnType<typeof useOnlineAt> }) {
  const { t } = useTranslation(['devices', 'sessions']);
  const can = useCan();
  const kick = useEndSession();
  const columns: Column<OnlineSession>[] = [
    { key: 'guest', label: t('sessions:guest'), cell: row => <OnlineGuest session={row} /> },
    { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac ?? '–', onPhone: true },
    {
      key: 'ip',
      label: t('sessions:ip'),
      nowrap: true,
      onPhone: true,
      cell: row => <IpAddresses ipv4={row.client_ip} ipv6={row.ipv6} />,
    },
    { key: 'network', label: t('network.one'), cell: row => row.network ?? '–', from: 'lg' },
    {
      key: 'since',
      label: t('users.since'),
      nowrap: true,
      cell: row => <RelativeTime time={row.session_start_time} />,
      onPhone: true,
    },
  ];
  return (
    <section className={classes.list} aria-labelledby="online">
      <h2 id="online">{t('users.onlineNow')}</h2>
      <ListTable
        label={t('users.onlineNow')}
        query={online}
        columns={columns}
        rowKey={row => row.rhid}
        rowName={row => row.name ?? row.client_mac ?? '–'}
        rowActions={
          can('update-clients') &&
          (row => [
            {
              label: t('users.end'),
              icon: IconPlugConnectedX,
              onClick: () => kick.mutate(row),
              reason: row.endable ? undefined : t('sessions:unendable.one'),
            },
          ])
        }
        empty={{ drawing: 'waves', title: t('users.nobodyTitle'), text: t('users.nobodyText') }}
      />
    </section>
  );
}

function Recent({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'sessions']);
  const [search] = useListSearch();
  const sessions = useRecentSessions(device.id, search);
  const columns: Column<SessionRow>[] = [
    {
      key: 'guest',
      label: t('sessions:guest'),
      cell: row => <Guest name={row.client?.name ?? null} client={row.client} />,
    },
    { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac ?? '–', onPhone: true },
    { key: 'from', label: t('users.from'), nowrap: true, cell: row => formatDateTime(row.started_at), onPhone: true },
    {
      key: 'until',
      label: t('users.until'),
      nowrap: true,
      onPhone: true,
      cell: row => (
        <>
          {row.ended_at ? formatDateTime(row.ended_at) : t('users.still')}
          <EndReason session={row} />
        </>
      ),
    },
    {
      key: 'download',
      label: t('users.download'),
      cell: row => <UsedBytes session={row} of="download" />,
      numeric: true,
      from: 'md',
      onPhone: 'labelled',
    },
    {
      key: 'upload',
      label: t('users.upload'),
      cell: row => <UsedBytes session={row} of="upload" />,
      numeric: true,
      from: 'md',
      onPhone: 'labelled',
    },
  ];
  return (
    <section className={classes.list} aria-labelledby="recent">
      <h2 id="recent">{t('users.recent')}</h2>
      <ListTable
        label={t('users.recent')}
        query={sessions}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.client?.name ?? row.client_mac ?? '–'}
        empty={{ drawing: 'clock', title: t('users.noneTitle'), text: t('users.noneText') }}
      />
    </section>
  );
}
