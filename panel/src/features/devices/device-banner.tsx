import type { Device } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { useStoppedLocation } from '#features/devices/devices.api.ts';
import { useMayLicense } from '#features/devices/licence/licence-buttons.tsx';
import { LicenceLink } from '#ui/licence-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SuspendedNotice } from '#ui/suspended-notice.tsx';

/** Shows the remaining days of the demo, or that the service has stopped. A licensed location keeps its devices running. */
export function DeviceBanner({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const stopped = useStoppedLocation(device);
  const give = useMayLicense(device) ? { to: `/devices/${device.id}/license` } : undefined;
  if (stopped?.suspended_at) return <SuspendedNotice title={t('stopped')} location={stopped} />;
  if (!device.has_mikrolink_subscription)
    return (
      <Notice tone="bad" title={t('stopped')} action={stopped && <LicenceLink give={give} />}>
        {stopped && t('banner.stopped')}
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
