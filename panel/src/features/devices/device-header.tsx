import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import classes from '#features/devices/devices.module.css';
import { useCan } from '#lib/permissions.ts';
import { PageHeader } from '#ui/page-header.tsx';

/** The head and tabs of a device. */
export function DeviceHeader({ id, device }: { id: string; device: DeviceDetail | undefined }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const tabs = [
    { to: `/devices/${id}/info`, label: t('connection') },
    ...(can('update-devices') ? [{ to: `/devices/${id}/edit`, label: t('information') }] : []),
  ];
  const description = device && (
    <span className={classes.head}>
      <span className={classes.name}>
        <BrandLogo brand={device.brand} size={18} />
        {device.brand.name}
      </span>
      <DeviceStatus device={device} />
      <span>{device.location.name}</span>
    </span>
  );
  return (
    <PageHeader
      title={device?.name ?? '…'}
      description={description}
      parent={{ to: '/devices', label: t('title') }}
      tabs={tabs}
    />
  );
}
