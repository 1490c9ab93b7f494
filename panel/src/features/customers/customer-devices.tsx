import type { Device } from '@portico/contract/devices.ts';
import type { Location } from '@portico/contract/locations.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDevicesOf } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { BrandLogo, DeviceStatus } from '#features/devices/public.ts';
import { useCan } from '#lib/permissions.ts';
import type { Column } from '#ui/data-table.tsx';
import { ListTable, onOnePage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export function CustomerDevices({ customer }: { customer: Location }) {
  const { t } = useTranslation(['customers', 'devices']);
  const navigate = useNavigate();
  const can = useCan();
  const devices = useDevicesOf(customer.id);
  const columns: Column<Device>[] = [
    {
      key: 'name',
      label: t('devices:name'),
      cell: row => (
        <span className={classes.device}>
          <BrandLogo brand={row.brand} />
          <Link to="/devices/$deviceId" params={{ deviceId: row.id }}>
            {row.name}
          </Link>
        </span>
      ),
    },
    { key: 'status', label: t('devices:status'), cell: row => <DeviceStatus device={row} />, onPhone: true },
    {
      key: 'seen',
      onPhone: 'labelled',
      label: t('devices:lastSeen'),
      nowrap: true,
      cell: row => (row.last_seen_at ? <RelativeTime time={row.last_seen_at} /> : t('devices:never')),
    },
  ];
  return (
    <ListTable
      label={t('tab.settings-devices')}
      query={onOnePage(devices)}
      columns={columns}
      rowKey={row => row.id}
      rowName={row => row.name}
      onRowClick={({ id }) => void navigate({ to: '/devices/$deviceId', params: { deviceId: id } })}
      empty={{
        drawing: 'router',
        title: t('devices:emptyTitle'),
        text: t('devices:emptyText'),
        action: can('store-devices') && (
          <Link to="/devices" hash="add" className={classes.link}>
            {t('devices:add')}
          </Link>
        ),
      }}
    />
  );
}
