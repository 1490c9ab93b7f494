import type { Device } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFilteredDevices } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { formatNumber } from '#lib/format.ts';
import type { ListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

/** The number of devices shown here; a link leads to the others. */
const maxRows = 10;

/** The filtered devices; those that are offline come first. */
export function DeviceList({ search }: { search: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const query = useFilteredDevices(search);
  const rows = query.data?.data ?? [];
  const sorted = rows.toSorted((a, b) => Number(a.status === 'online') - Number(b.status === 'online'));
  const shown = { ...query, data: query.data && { data: sorted.slice(0, maxRows) } };
  const columns: Column<Device>[] = [
    {
      key: 'name',
      label: t('device'),
      cell: row => (
        <Link to="/devices/$deviceId/info" params={{ deviceId: row.id }}>
          {row.name}
        </Link>
      ),
    },
    { key: 'location', label: t('location'), cell: row => row.location.name, onPhone: true },
    { key: 'brand', label: t('brand'), cell: row => row.brand.name, from: 'md' },
    {
      key: 'status',
      label: t('state'),
      cell: row => <StatusDot tone={row.status === 'online' ? 'good' : 'idle'}>{t(`status.${row.status}`)}</StatusDot>,
      onPhone: true,
    },
    { key: 'seen', label: t('lastSeen'), nowrap: true, cell: row => <RelativeTime time={row.last_seen_at} /> },
  ];
  return (
    <section className={classes.list} aria-labelledby="dashboard-devices">
      <header>
        <h2 id="dashboard-devices">{t('devices')}</h2>
        {query.data && <span>{formatNumber(rows.length)}</span>}
        <Link to="/devices">{t('allDevices')}</Link>
      </header>
      <ListTable
        label={t('devices')}
        query={shown}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        filtered={['locations', 'devices']}
        empty={{ drawing: 'router', title: t('noDevicesTitle'), text: t('noDevicesText') }}
      />
    </section>
  );
}
