import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOwnLocation } from '#features/onboarding/onboarding.api.ts';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { PortalStep } from '#features/onboarding/portal-step.tsx';
import { NoLocation, NotAllowed } from '#features/onboarding/setup-unavailable.tsx';
import { portalAccess } from '#features/onboarding/wizard-step.ts';
import { useCan } from '#lib/permissions.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** The third step on its own, for a location that already has a device. */
export function PortalWizardPage() {
  const { t } = useTranslation('onboarding');
  const navigate = useNavigate();
  const can = useCan();
  const locationId = useWorkingLocation();
  const query = useOwnLocation();
  const location = query.data?.data;
  if (locationId === null) return <NoLocation />;
  if (query.error && !location)
    return (
      <LoadError error={query.error} onRetry={() => void query.refetch()} parent={{ to: '/', label: t('toPanel') }} />
    );
  if (location && !can(portalAccess(location))) return <NotAllowed />;
  return (
    <>
      <OnboardingTitle title={t('portal.title')} lead={t('portal.lead')} wide />
      {location ? (
        <PortalStep key={location.id} location={location} onSaved={() => void navigate({ to: '/' })} />
      ) : (
        <FormSkeleton fields={6} />
      )}
    </>
  );
}
