import type { VisitorAttempt, VisitorConsent, VisitorDevice, VisitorSession } from '@portico/contract/visitor-page.ts';
import { useTranslation } from 'react-i18next';
import { AttemptInputs, useReason } from '#features/dashboard/public.ts';
import { SalesList } from '#features/reports/public.ts';
import { EndReason, SessionState } from '#features/sessions/public.ts';
import { LastRefusal } from '#features/visitors/last-refusal.tsx';
import { ServiceNotice } from '#features/visitors/service-notice.tsx';
import { useTimeLeft } from '#features/visitors/use-time-left.ts';
import {
  useAttemptsOf,
  useConsentsOf,
  useDevicesOf,
  useSalesOf,
  useSessionsOf,
} from '#features/visitors/visitor-page.api.ts';
import { VisitorFacts, VisitorScreen } from '#features/visitors/visitor-screen.tsx';
import { formatBytes, formatDateTime, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { UsedBytes } from '#ui/used-bytes.tsx';

const VisitorMarketing = lazyPart(() => import('#features/visitors/visitor-marketing.tsx'), 'VisitorMarketing');

export const VisitorSessionsPage = () => (
  <VisitorScreen>
    {visitor => (
      <>
        <ServiceNotice visitor={visitor} />
        <LastRefusal visitor={visitor} />
        <VisitorFacts visitor={visitor} />
        <Sessions id={visitor.id} />
      </>
    )}
  </VisitorScreen>
);
export const VisitorDevicesPage = () => <VisitorScreen>{({ id }) => <Devices id={id} />}</VisitorScreen>;
export const VisitorSalesPage = () => <VisitorScreen>{({ id }) => <Sales id={id} />}</VisitorScreen>;
export const VisitorConsentsPage = () => <VisitorScreen>{({ id }) => <Consents id={id} />}</VisitorScreen>;
export const VisitorAttemptsPage = () => <VisitorScreen>{({ id }) => <Attempts id={id} />}</VisitorScreen>;

function Sessions({ id }: { id: string }) {
  const { t } = useTranslation(['visitor', 'sessions', 'limit']);
  const [search] = useListSearch();
  const time = useTimeLeft();
  /** The remaining time and data of an open session, as its guest sees them. */
  const left = ({ ended_at, seconds_left, bytes_left }: VisitorSession) => {
    if (ended_at !== null) return '–';
    const parts = [seconds_left !== null && time(seconds_left), bytes_left !== null && formatBytes(bytes_left)];
    return parts.filter(part => part !== false).join(' · ') || t('limit:unlimited');
  };
  const columns: Column<VisitorSession>[] = [
    { key: 'start', label: t('sessions:start'), nowrap: true, cell: row => formatDateTime(row.started_at) },
    {
      key: 'end',
      label: t('sessions:ended'),
      cell: row =>
        row.ended_at ? (
          <>
            {formatDateTime(row.ended_at)}
            <EndReason session={row} />
          </>
        ) : (
          <SessionState kick={row.kick} device={row.device} />
        ),
    },
    { key: 'mac', label: t('sessions:mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
    {
      key: 'ip',
      label: t('sessions:ip'),
      nowrap: true,
      cell: row => <IpAddresses ipv4={row.client_ip} ipv6={row.ipv6} />,
      from: 'md',
    },
    { key: 'device', label: t('sessions:device'), cell: row => row.device?.name ?? '–', from: 'md' },
    { key: 'left', label: t('left.ofSession'), cell: left },
    {
      key: 'download',
      label: t('sessions:download'),
      cell: row => <UsedBytes session={row} of="download" />,
      numeric: true,
    },
    { key: 'upload', label: t('sessions:upload'), cell: row => <UsedBytes session={row} of="upload" />, numeric: true },
  ];
  return (
    <DataTable
      label={t('sessions')}
      query={useSessionsOf(id, search)}
      columns={columns}
      rowKey={row => row.id}
      rowName={row => formatDateTime(row.started_at)}
      empty={<EmptyState drawing="clock" title={t('noSessions')} text={t('noSessionsText')} />}
    />
  );
}

function Devices({ id }: { id: string }) {
  const { t } = useTranslation(['visitor', 'sessions']);
  const [search] = useListSearch();
  const columns: Column<VisitorDevice>[] = [
    { key: 'mac', label: t('sessions:mac'), nowrap: true, cell: row => row.client_mac },
    { key: 'count', label: t('sessions'), cell: row => formatNumber(row.sessions), numeric: true },
    { key: 'device', label: t('lastAt'), cell: row => row.device?.name ?? '–' },
    { key: 'first', label: t('first'), nowrap: true, cell: row => formatDateTime(row.first_at), from: 'md' },
    {
      key: 'last',
      label: t('last'),
      nowrap: true,
      cell: row => <RelativeTime time={row.last_at} />,
    },
    {
      key: 'download',
      label: t('sessions:download'),
      cell: row => <UsedBytes session={row} of="download" />,
      numeric: true,
    },
    { key: 'upload', label: t('sessions:upload'), cell: row => <UsedBytes session={row} of="upload" />, numeric: true },
  ];
  return (
    <DataTable
      label={t('devices')}
      query={useDevicesOf(id, search)}
      columns={columns}
      rowKey={row => row.client_mac}
      rowName={row => row.client_mac}
      empty={<EmptyState drawing="waves" title={t('noDevices')} text={t('noSessionsText')} />}
    />
  );
}

function Sales({ id }: { id: string }) {
  const [search] = useListSearch();
  return <SalesList query={useSalesOf(id, search)} ofOne />;
}

function Consents({ id }: { id: string }) {
  const { t } = useTranslation(['visitor', 'sessions']);
  const [search] = useListSearch();
  const columns: Column<VisitorConsent>[] = [
    { key: 'at', label: t('agreedAt'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    {
      key: 'what',
      label: t('agreement'),
      cell: row => row.kinds.map(kind => t(`kind.${kind}`)).join(', ') || '–',
    },
    {
      key: 'version',
      label: t('version'),
      nowrap: true,
      cell: row => <code>{row.version.slice(0, 12)}</code>,
    },
    { key: 'language', label: t('language'), cell: row => row.language.toUpperCase() },
    { key: 'mac', label: t('sessions:mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
  ];
  return (
    <>
      <h2>{t('marketing')}</h2>
      <VisitorMarketing id={id} />
      <h2>{t('agreements')}</h2>
      <DataTable
        label={t('agreements')}
        query={useConsentsOf(id, search)}
        columns={columns}
        rowKey={row => `${row.version} ${row.client_mac}`}
        rowName={row => formatDateTime(row.created_at)}
        empty={<EmptyState drawing="people" title={t('noConsents')} text={t('noConsentsText')} />}
      />
    </>
  );
}

function Attempts({ id }: { id: string }) {
  const { t } = useTranslation(['visitor', 'sessions', 'visitors', 'dashboard']);
  const [search] = useListSearch();
  const reason = useReason();
  const columns: Column<VisitorAttempt>[] = [
    { key: 'at', label: t('dashboard:date'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    {
      key: 'method',
      label: t('visitors:method'),
      cell: row => t(`visitors:provider.${row.provider_slug as 'username'}`),
    },
    { key: 'inputs', label: t('dashboard:inputs'), cell: row => <AttemptInputs attempt={row} /> },
    { key: 'reason', label: t('dashboard:reason'), cell: row => reason(row) },
    { key: 'mac', label: t('sessions:mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
    { key: 'ip', label: t('sessions:ip'), nowrap: true, cell: row => row.client_ip ?? '–', from: 'md' },
    { key: 'device', label: t('sessions:device'), cell: row => row.device?.name ?? '–', from: 'lg' },
  ];
  return (
    <DataTable
      label={t('attempts')}
      query={useAttemptsOf(id, search)}
      columns={columns}
      rowKey={row => `${row.created_at} ${row.client_mac} ${JSON.stringify(row.params)}`}
      rowName={row => formatDateTime(row.created_at)}
      empty={<EmptyState drawing="clock" title={t('noAttempts')} text={t('noAttemptsText')} />}
    />
  );
}
