import { hasSetupFiles } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ConnectionFacts } from '#features/devices/setup/connection-facts.tsx';
import { FirstPacket } from '#features/devices/setup/first-packet.tsx';
import { GuideLinks } from '#features/devices/setup/guide-links.tsx';
import { LoginFileButton } from '#features/devices/setup/login-file-button.tsx';
import { MikrotikScript } from '#features/devices/setup/mikrotik-script.tsx';
import classes from '#features/devices/setup/setup.module.css';
import { SetupFiles } from '#features/devices/setup/setup-files.tsx';
import { UntriedNote } from '#features/devices/setup/untried-note.tsx';
import { useCan } from '#lib/permissions.ts';

/** The last step of the wizard: everything needed to configure the router. */
export function DeviceReady({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const { name, slug } = device.brand;
  return (
    <div className={classes.stack}>
      <p className={classes.made} role="status">
        <IconCircleCheck size={20} aria-hidden />
        <span>
          {t('wizard.made', { name: device.name })}
          <small>{t('wizard.madeText', { brand: name })}</small>
        </span>
      </p>
      <FirstPacket device={device} />
      <GuideLinks device={device} />
      <ConnectionFacts device={device} />
      <UntriedNote brand={device.brand} />
      <div>
        <LoginFileButton device={device} />
      </div>
      {hasSetupFiles(slug) && can('update-devices') && (
        <section className={classes.part}>
          <h3>{t('files.title')}</h3>
          <p>{t('files.text')}</p>
          <SetupFiles device={device} />
        </section>
      )}
      {slug === 'mikrotik' && can('update-devices') && (
        <section className={classes.part}>
          <h3>{t('script.title')}</h3>
          <p>{t('script.text')}</p>
          <MikrotikScript device={device} />
        </section>
      )}
    </div>
  );
}
