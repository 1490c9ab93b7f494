import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFirstPortal } from '#features/onboarding/onboarding.api.ts';
import { NotAllowed } from '#features/onboarding/setup-unavailable.tsx';
import { PortalSetup } from '#features/portals/public.ts';
import { useCan } from '#lib/permissions.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  location: Location;
  onBack?: () => void;
  onSaved: () => void;
}

/** The portal of the location. If there is none, it is created with the location's name. */
export function PortalStep({ location: { id, name, portal_id }, onBack, onSaved }: Props) {
  const { t } = useTranslation('common');
  const mayMake = useCan()('store-portals');
  const { mutate, error, data } = useFirstPortal();
  const asked = useRef(false);
  const missing = portal_id === null && mayMake;
  useEffect(() => {
    if (!missing || asked.current) return;
    asked.current = true;
    mutate({ name, location_id: id });
  }, [missing, mutate, name, id]);
  const portalId = portal_id ?? data?.data.id;
  if (portalId) {
    const back = onBack && (
      <Button variant="default" onClick={onBack}>
        {t('back')}
      </Button>
    );
    return <PortalSetup portalId={portalId} back={back} onSaved={onSaved} />;
  }
  if (!mayMake) return <NotAllowed />;
  if (error) return <LoadError error={error} onRetry={() => mutate({ name, location_id: id })} />;
  return <FormSkeleton fields={6} />;
}
