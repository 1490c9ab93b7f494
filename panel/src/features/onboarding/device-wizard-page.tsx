import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOwnLocation } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { NoLocation, NotAllowed } from '#features/onboarding/setup-unavailable.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import type { ListSearch } from '#lib/search.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

// Loads the location in parallel.
const DeviceWizard = lazyPart(() => import('#features/onboarding/device-wizard.tsx'), 'DeviceWizard', 'in-place');

export function DeviceWizardPage() {
  const { t } = useTranslation('onboarding');
  const can = useCan();
  const search = useSearch({ strict: false }) as ListSearch;
  const locationId = useWorkingLocation();
  const query = useOwnLocation();
  const location = query.data?.data;
  if (locationId === null) return <NoLocation />;
  if (!can('store-devices')) return <NotAllowed />;
  if (query.error && !location)
    return (
      <LoadError error={query.error} onRetry={() => void query.refetch()} parent={{ to: '/', label: t('toPanel') }} />
    );
  if (location) return <DeviceWizard key={location.id} location={location} search={search} />;
  return (
    <>
      <OnboardingTitle title={t('title')} />
      <div className={classes.narrow}>
        <FormSkeleton fields={3} />
      </div>
    </>
  );
}
