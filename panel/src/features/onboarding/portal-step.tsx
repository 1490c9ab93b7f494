import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import { useFirstPortal } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { portalAccess } from '#features/onboarding/wizard-step.ts';
import { PortalSetup } from '#features/portals/public.ts';
import { useCan } from '#lib/permissions.ts';

interface Props {
  location: Location;
  /** Given in the wizard, whose other steps need no access to portals. */
  onBack?: () => void;
  onSaved: () => void;
}

/** The portal of the location. If there is none, saving creates it. */
export function PortalStep({ location, onBack, onSaved }: Props) {
  const { t } = useTranslation(['onboarding', 'common']);
  const may = useCan()(portalAccess(location));
  const { mutateAsync } = useFirstPortal(location.id);
  const back = onBack && (
    <Button variant="default" onClick={onBack}>
      {t('common:back')}
    </Button>
  );
  if (!may)
    return (
      <div className={classes.narrow}>
        <p className={classes.note}>{t('portal.notAllowed')}</p>
        <div className={classes.foot}>
          {back}
          <Button onClick={onSaved}>{t('common:next')}</Button>
        </div>
      </div>
    );
  return (
    <PortalSetup portalId={location.portal_id} location={location} create={mutateAsync} back={back} onSaved={onSaved} />
  );
}
