import type { DeviceDetail } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import classes from '#features/devices/devices.module.css';
import { LicenceButtons, useMayLicense } from '#features/devices/licence/licence-buttons.tsx';
import { HotspotSwitch } from '#features/devices/overview/hotspot-switch.tsx';
import { useOnlineAt } from '#features/devices/users/device-users.api.ts';
import { LogTraffic } from '#features/logs/public.ts';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { LicenceState } from '#ui/licence-state.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export const DevicePage = () => <DeviceScreen>{device => <General device={device} />}</DeviceScreen>;

function General({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const mayLicense = useMayLicense(device);
  const online = useOnlineAt(device.id, { per_page: 1 }).data?.meta.total;
  const state: Fact[] = [
    { label: t('status'), value: <DeviceStatus device={device} /> },
    { label: t('lastSeen'), value: device.last_seen_at ? <RelativeTime time={device.last_seen_at} /> : t('never') },
    ...(can('view-basic-stats')
      ? [
          {
            label: t('users.online'),
            value: (
              <Link className={classes.link} to="/devices/$deviceId/users" params={{ deviceId: device.id }}>
                {online === undefined ? '…' : formatNumber(online)}
              </Link>
            ),
          },
        ]
      : []),
    { label: t('location'), value: device.location.name },
    { label: t('licence.title'), value: <LicenceState of={device} /> },
  ];
  return (
    <>
      <Card title={t('overview')}>
        <Facts facts={state} />
      </Card>
      <LogTraffic deviceId={device.id} />
      {device.has_mikrolink_subscription && (
        <Card title={t('hotspot.title')}>
          <HotspotSwitch device={device} disabled={!can('update-devices')} />
        </Card>
      )}
      {mayLicense && (
        <Card title={t('licence.license')} description={t('licence.licenseHelp')}>
          <LicenceButtons device={device} />
        </Card>
      )}
    </>
  );
}
