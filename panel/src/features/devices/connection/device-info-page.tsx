import { gatewayKind, hasSecret, hasSetupFiles, usesRadius } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { ConnectionFacts } from '#features/devices/setup/connection-facts.tsx';
import { GuideLinks } from '#features/devices/setup/guide-links.tsx';
import { LocalNote } from '#features/devices/setup/local-note.tsx';
import { UntriedNote } from '#features/devices/setup/untried-note.tsx';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const RouterConnection = lazyPart(
  () => import('#features/devices/connection/router-connection.tsx'),
  'RouterConnection',
  'in-place',
);
const RouterCommands = lazyPart(
  () => import('#features/devices/connection/router-commands.tsx'),
  'RouterCommands',
  'in-place',
);
const RenewSecret = lazyPart(() => import('#features/devices/setup/renew-secret.tsx'), 'RenewSecret', 'in-place');
const SetupFiles = lazyPart(() => import('#features/devices/setup/setup-files.tsx'), 'SetupFiles', 'in-place');
const MikrotikScript = lazyPart(
  () => import('#features/devices/setup/mikrotik-script.tsx'),
  'MikrotikScript',
  'in-place',
);

/** The values to enter on the router, and the facts about it. */
export const DeviceInfoPage = () => <DeviceScreen fields={6}>{device => <Info device={device} />}</DeviceScreen>;

function Info({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const { name: brand, slug } = device.brand;
  const byController = gatewayKind(slug) === 'controller';
  const takesCommands = slug === 'mikrotik' || byController;
  const values = device.serial_number
    ? 'handOver'
    : usesRadius(slug)
      ? 'radius'
      : hasSecret(slug)
        ? 'inFiles'
        : 'portal';
  const state: Fact[] = [
    { label: t('lastSeen'), value: device.last_seen_at ? <RelativeTime time={device.last_seen_at} /> : t('never') },
    device.serial_number
      ? { label: t('serial'), value: device.serial_number, code: true }
      : { label: t('mac'), value: device.mac_address, code: true },
    { label: t('model'), value: device.model?.name ?? '–' },
    { label: t('profile'), value: device.user_profile?.name ?? t('noProfile') },
    { label: t('addedAt'), value: formatDate(device.created_at) },
    ...(slug === 'mikrotik'
      ? [
          { label: t('polled'), value: device.polled_at ? <RelativeTime time={device.polled_at} /> : t('neverPolled') },
          ...(device.router_version ? [{ label: t('version'), value: device.router_version }] : []),
        ]
      : []),
  ];
  return (
    <>
      <LocalNote device={device} />
      <UntriedNote brand={device.brand} />
      <Card title={t(values)} description={t(`${values}Help`, { brand })}>
        <ConnectionFacts device={device} />
        {can('update-devices') && hasSecret(slug) && <RenewSecret key={device.id} device={device} />}
      </Card>
      <Card title={t('guides')} description={t('guidesHelp', { brand })}>
        <GuideLinks device={device} />
      </Card>
      {hasSetupFiles(slug) && can('update-devices') && (
        <Card title={t('files.title')} description={t('files.text')}>
          <SetupFiles device={device} />
        </Card>
      )}
      {slug === 'mikrotik' && can('update-devices') && (
        <Card title={t('script.title')} description={t('script.text')}>
          <MikrotikScript device={device} />
        </Card>
      )}
      {takesCommands && can('update-devices') && (
        <Card
          title={t(byController ? 'control.controller' : 'control.title')}
          description={t(byController ? 'control.controllerHelp' : 'control.help', { brand })}
        >
          <RouterConnection key={device.id} device={device} />
        </Card>
      )}
      {takesCommands && (
        <Card title={t('control.commands')} description={t('control.commandsHelp')}>
          <RouterCommands device={device} />
        </Card>
      )}
      <Card title={t('overview')}>
        <Facts facts={state} />
      </Card>
    </>
  );
}
