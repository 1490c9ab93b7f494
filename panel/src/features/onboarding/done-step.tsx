import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DeviceReady, FirstPacket } from '#features/devices/public.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { PortalWarnings } from '#features/portals/public.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';

/** The last step. It waits for the router, which must still be configured. */
export function DoneStep({ device, portalId }: { device?: DeviceDetail | undefined; portalId: string | null }) {
  const { t } = useTranslation('onboarding');
  const can = useCan();
  return (
    <div className={classes.narrow}>
      {device && (
        <div className={classes.waiting} data-connected={device.last_seen_at !== null || undefined}>
          <strong>{t(device.last_seen_at ? 'done.connectedTitle' : 'done.waiting')}</strong>
          <FirstPacket device={device} />
          {device.last_seen_at && <p>{t('done.connected')}</p>}
        </div>
      )}
      {portalId && can('view-portals') && <PortalWarnings portalId={portalId} />}
      <div className={classes.doneFoot}>
        <Button renderRoot={props => <Link to="/" {...props} />}>{t('done.button')}</Button>
      </div>
      {device && (
        <Card title={t('done.router')} description={t('done.routerText')}>
          <DeviceReady device={device} isIntroduced />
        </Card>
      )}
    </div>
  );
}
