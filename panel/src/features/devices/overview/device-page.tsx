import { gatewayKind, usesRadius } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LastDay, ProblemList } from '#features/dashboard/public.ts';
import { DeviceDoctor } from '#features/devices/connection/device-doctor.tsx';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import classes from '#features/devices/devices.module.css';
import { LicenceButtons, useMayLicense } from '#features/devices/licence/licence-buttons.tsx';
import { FailedSignIns } from '#features/devices/overview/failed-sign-ins.tsx';
import { HotspotSwitch } from '#features/devices/overview/hotspot-switch.tsx';
import { UnknownDevices } from '#features/devices/unknown-devices.tsx';
import { useOnlineAt } from '#features/devices/users/device-users.api.ts';
import { LogTraffic } from '#features/logs/public.ts';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { LicenceState } from '#ui/licence-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** The text that says what the doctor checks. */
const doctorHelp = (slug: string) => {
  if (gatewayKind(slug) === 'controller') return 'doctor.helpController';
  return usesRadius(slug) ? 'doctor.help' : 'doctor.helpWatchguard';
};

export const DevicePage = () => <DeviceScreen banner>{device => <General device={device} />}</DeviceScreen>;

/** The state of the device: problems first, then its guests and their usage. */
function General({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const mayLicense = useMayLicense(device);
  const online = useOnlineAt(device.id, { per_page: 1 }).data?.meta.total;
  const mayCount = can('view-basic-stats');
  const state: Fact[] = [
    { label: t('status'), value: <DeviceStatus device={device} /> },
    { label: t('lastSeen'), value: device.last_seen_at ? <RelativeTime time={device.last_seen_at} /> : t('never') },
    ...(mayCount
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
      {mayCount && <ProblemList only={device.id} />}
      {device.wrong_secret && (
        <Notice tone="bad" title={t('wrongSecret.title')}>
          {t('wrongSecret.text', { address: device.wrong_secret.address })}{' '}
          <RelativeTime time={device.wrong_secret.at} />
        </Notice>
      )}
      {device.last_seen_at === null && usesRadius(device.brand.slug) && can('store-devices') && (
        <UnknownDevices device={device} />
      )}
      <div className={classes.overview}>
        {(can('update-devices') || mayCount) && (
          <div>
            {can('update-devices') && (
              <Card title={t('doctor.title')} description={t(doctorHelp(device.brand.slug))}>
                <DeviceDoctor key={device.id} device={device} />
              </Card>
            )}
            {mayCount && <LastDay deviceId={device.id} />}
          </div>
        )}
        <div>
          <Card title={t('overview')}>
            <Facts facts={state} />
          </Card>
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
          {mayCount && <FailedSignIns deviceId={device.id} />}
        </div>
      </div>
      <LogTraffic deviceId={device.id} />
    </>
  );
}
