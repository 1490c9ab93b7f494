import { ActionIcon } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceHeader } from '#features/devices/device-header.tsx';
import { useDevice } from '#features/devices/devices.api.ts';
import classes from '#features/devices/devices.module.css';
import { api } from '#lib/api.ts';
import { formatDate } from '#lib/format.ts';
import { useLive } from '#lib/use-live.ts';
import { Card } from '#ui/card.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What the router must be told, and what is known of it. */
export function DeviceInfoPage() {
  const { deviceId } = useParams({ from: '/shell/devices/$deviceId/info' });
  const query = useDevice(deviceId);
  useLive('devices', api.devices.get);
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  const device = query.data?.data;
  return (
    <>
      <DeviceHeader id={deviceId} device={device} />
      {device ? <Info device={device} /> : <FormSkeleton fields={6} />}
    </>
  );
}

function Info({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const { host, auth_port, acct_port } = device.radius;
  const radius: Fact[] = [
    { label: t('nas'), value: device.nas_identifier, copy: device.nas_identifier, code: true },
    { label: t('radiusHost'), value: host, copy: host, code: true },
    { label: t('authPort'), value: String(auth_port), copy: String(auth_port), code: true },
    { label: t('acctPort'), value: String(acct_port), copy: String(acct_port), code: true },
    ...(device.secret ? [{ label: t('secret'), value: <Secret value={device.secret} />, copy: device.secret }] : []),
    { label: t('portalUrl'), value: device.portal_url, copy: device.portal_url, code: true },
  ];
  const state: Fact[] = [
    { label: t('lastSeen'), value: device.last_seen_at ? <RelativeTime time={device.last_seen_at} /> : t('never') },
    device.serial_number
      ? { label: t('serial'), value: device.serial_number, code: true }
      : { label: t('mac'), value: device.mac_address, code: true },
    { label: t('model'), value: device.model?.name ?? '–' },
    { label: t('profile'), value: device.user_profile?.name ?? t('noProfile') },
    { label: t('addedAt'), value: formatDate(device.created_at) },
  ];
  return (
    <>
      <Card title={t('radius')} description={t('radiusHelp', { brand: device.brand.name })}>
        <Facts facts={radius} />
      </Card>
      <Card title={t('state')}>
        <Facts facts={state} />
      </Card>
    </>
  );
}

function Secret({ value }: { value: string }) {
  const { t } = useTranslation('devices');
  const [shown, setShown] = useState(false);
  const label = t(shown ? 'hideSecret' : 'showSecret');
  return (
    <span className={classes.name}>
      <span className={classes.secret}>{shown ? value : '•'.repeat(16)}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        onClick={() => setShown(!shown)}
        aria-label={label}
        title={label}
      >
        {shown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
      </ActionIcon>
    </span>
  );
}
