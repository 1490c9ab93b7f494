import type { Device } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { StatusDot } from '#ui/status-dot.tsx';

export function DeviceStatus({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  if (!device.has_mikrolink_subscription) return <StatusDot tone="bad">{t('stopped')}</StatusDot>;
  const online = device.status === 'online';
  return <StatusDot tone={online ? 'good' : 'idle'}>{t(online ? 'online' : 'offline')}</StatusDot>;
}
