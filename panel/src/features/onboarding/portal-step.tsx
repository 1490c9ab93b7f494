import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import { useFirstPortal } from '#features/onboarding/onboarding.api.ts';
import { NotAllowed } from '#features/onboarding/setup-unavailable.tsx';
import { PortalSetup } from '#features/portals/public.ts';
import { useCan } from '#lib/permissions.ts';

interface Props {
  location: Location;
  onBack?: () => void;
  onSaved: () => void;
}

/** The portal of the location. If there is none, saving creates it. */
export function PortalStep({ location, onBack, onSaved }: Props) {
  const { t } = useTranslation('common');
  const mayMake = useCan()('store-portals');
  const { mutateAsync } = useFirstPortal(location.id);
  if (location.portal_id === null && !mayMake) return <NotAllowed />;
  const back = onBack && (
    <Button variant="default" onClick={onBack}>
      {t('back')}
    </Button>
  );
  return (
    <PortalSetup portalId={location.portal_id} location={location} create={mutateAsync} back={back} onSaved={onSaved} />
  );
}
