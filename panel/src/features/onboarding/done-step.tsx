import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DeviceReady } from '#features/devices/public.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { PortalWarnings } from '#features/portals/public.ts';
import { Card } from '#ui/card.tsx';

/** The last step. The router itself must still be configured. */
export function DoneStep({ device, portalId }: { device?: DeviceDetail | undefined; portalId: string | null }) {
  const { t } = useTranslation('onboarding');
  return (
    <div className={classes.narrow}>
      {portalId && <PortalWarnings portalId={portalId} />}
      <div className={classes.doneFoot}>
        <Button renderRoot={props => <Link to="/" {...props} />}>{t('done.button')}</Button>
      </div>
      {device && (
        <Card title={t('done.router')} description={t('done.routerText')}>
          <DeviceReady device={device} />
        </Card>
      )}
    </div>
  );
}
