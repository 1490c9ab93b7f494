import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { useDevice } from '#features/devices/devices.api.ts';
import { api } from '#lib/api.ts';
import { useLive } from '#lib/use-live.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

/** Whether the router has been heard of yet; turns green by itself. */
export function FirstPacket({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const seen = useDevice(device.id).data?.data.last_seen_at ?? device.last_seen_at;
  useLive('devices', api.devices.get);
  useLive('device-seen', api.devices.get);
  return (
    <p role="status">
      {seen ? (
        <StatusDot tone="good">
          {t('firstPacket.heard')} <RelativeTime time={seen} />
        </StatusDot>
      ) : (
        <StatusDot tone="busy">{t('firstPacket.waiting')}</StatusDot>
      )}
    </p>
  );
}
