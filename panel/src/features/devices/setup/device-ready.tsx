import { hasSetupFiles } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ConnectionFacts } from '#features/devices/setup/connection-facts.tsx';
import { FirstPacket } from '#features/devices/setup/first-packet.tsx';
import { GuideLinks } from '#features/devices/setup/guide-links.tsx';
import { LocalNote } from '#features/devices/setup/local-note.tsx';
import { LoginFileButton } from '#features/devices/setup/login-file-button.tsx';
import { MikrotikScript } from '#features/devices/setup/mikrotik-script.tsx';
import classes from '#features/devices/setup/setup.module.css';
import { SetupFiles } from '#features/devices/setup/setup-files.tsx';
import { UntriedNote } from '#features/devices/setup/untried-note.tsx';
import { useCan } from '#lib/permissions.ts';

interface Props {
  device: DeviceDetail;
  /** The screen already says that the device was added and whether it has connected. */
  isIntroduced?: boolean;
}

/** The last step of the wizard: everything needed to configure the router, what does it at once first. */
export function DeviceReady({ device, isIntroduced = false }: Props) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const { name, slug } = device.brand;
  const hasScript = (slug === 'mikrotik' || hasSetupFiles(slug)) && can('update-devices');
  const first = isIntroduced ? '' : classes.part;
  return (
    <div className={classes.stack}>
      {!isIntroduced && (
        <>
          <p className={classes.made} role="status">
            <IconCircleCheck size={20} aria-hidden />
            <span>
              {t('wizard.made', { name: device.name })}
              <small>{t('wizard.madeText', { brand: name })}</small>
            </span>
          </p>
          <FirstPacket device={device} />
        </>
      )}
      <LocalNote device={device} />
      {slug === 'mikrotik' && can('update-devices') && (
        <section className={first}>
          <h3>{t('script.title')}</h3>
          <p>{t('script.text')}</p>
          <MikrotikScript device={device} />
        </section>
      )}
      {hasSetupFiles(slug) && can('update-devices') && (
        <section className={first}>
          <h3>{t('files.title')}</h3>
          <p>{t('files.text')}</p>
          <SetupFiles device={device} />
        </section>
      )}
      <UntriedNote brand={device.brand} />
      <section className={hasScript || !isIntroduced ? classes.part : ''}>
        {hasScript && <h3>{t('wizard.byHand')}</h3>}
        <ConnectionFacts device={device} />
      </section>
      <GuideLinks device={device} />
      <div>
        <LoginFileButton device={device} />
      </div>
    </div>
  );
}
