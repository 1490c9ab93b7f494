import { usesRadius } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { useDevice } from '#features/devices/devices.api.ts';
import classes from '#features/devices/setup/setup.module.css';
import { api } from '#lib/api.ts';
import { useLive } from '#lib/use-live.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

/** Waits for the first packet of the router. Where our RADIUS server is not used, the first guest counts. */
export function FirstPacket({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const now = useDevice(device.id).data?.data ?? device;
  const { last_seen_at: seen, wrong_secret: wrong } = now;
  useLive('devices', api.devices.get);
  useLive('device-seen', api.devices.get);
  return (
    <p className={classes.first} role="status">
      {seen ? (
        <StatusDot tone="good">
          {t('firstPacket.heard')} <RelativeTime time={seen} />
        </StatusDot>
      ) : wrong ? (
        <StatusDot tone="bad">{t('wrongSecret.text', { address: wrong.address })}</StatusDot>
      ) : (
        <StatusDot tone="busy">
          {t(usesRadius(device.brand.slug) ? 'firstPacket.waiting' : 'firstPacket.waitingForGuest')}
        </StatusDot>
      )}
    </p>
  );
}
