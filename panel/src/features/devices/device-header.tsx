import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import classes from '#features/devices/devices.module.css';
import { LoginFileButton } from '#features/devices/setup/login-file-button.tsx';
import { useCan } from '#lib/permissions.ts';
import { PageHeader } from '#ui/page-header.tsx';

export function DeviceHeader({ id, device }: { id: string; device: DeviceDetail | undefined }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const base = `/devices/${id}`;
  const tabs = [
    { to: base, label: t('general') },
    ...(can('update-devices') ? [{ to: `${base}/edit`, label: t('information') }] : []),
    { to: `${base}/networks`, label: t('network.title') },
    { to: `${base}/logs`, label: t('logs') },
    { to: `${base}/macs`, label: t('macs.title') },
    ...(can('view-basic-stats') ? [{ to: `${base}/users`, label: t('users.title') }] : []),
    { to: `${base}/rules`, label: t('rules.title') },
    { to: `${base}/license`, label: t('licence.title') },
    { to: `${base}/info`, label: t('connection') },
    // Devices with a serial number (WatchGuard) do not use RADIUS.
    ...(device?.serial_number === null ? [{ to: `${base}/certificates`, label: 'RadSec' }] : []),
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
    >
      {device && <LoginFileButton device={device} />}
    </PageHeader>
  );
}
