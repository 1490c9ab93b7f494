import type { Device } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { useIsSuspended } from '#features/devices/devices.api.ts';
import { useMayLicense } from '#features/devices/licence/licence-buttons.tsx';
import { LicenceLink } from '#ui/licence-link.tsx';
import { Notice } from '#ui/notice.tsx';

/** Shows the remaining days of the demo, or that the service has stopped. A licensed location keeps its devices running. */
export function DeviceBanner({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const suspended = useIsSuspended(device);
  const give = useMayLicense(device) ? { to: `/devices/${device.id}/license` } : undefined;
  if (!device.has_mikrolink_subscription)
    return (
      <Notice tone="bad" title={t('stopped')} action={suspended === false && <LicenceLink give={give} />}>
        {suspended !== undefined && t(suspended ? 'banner.suspended' : 'banner.stopped')}
      </Notice>
    );
  if (device.is_trial && device.trial_remain > 0)
    return (
      <Notice tone="warn" title={t('banner.demo', { count: device.trial_remain })} action={<LicenceLink give={give} />}>
        {t('banner.demoText')}
      </Notice>
    );
  return null;
}
