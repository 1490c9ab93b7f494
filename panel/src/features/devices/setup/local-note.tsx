import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { Notice } from '#ui/notice.tsx';

/** Warns that routers cannot reach these addresses. Hidden once the device has connected. */
export function LocalNote({ device: { radius, last_seen_at } }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  if (radius.host !== 'localhost' || last_seen_at) return null;
  return (
    <Notice tone="warn" title={t('local.title')}>
      {t('local.text')}
    </Notice>
  );
}
