import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { terms } from '#features/onboarding/licence-terms.ts';
import { useOwnLocation } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { NoLocation, Refused } from '#features/onboarding/setup-unavailable.tsx';
import { endAfter } from '#lib/licence-days.ts';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LicenceState } from '#ui/licence-state.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** The end of the demo and the possible licence terms. */
export function SubscribePage() {
  const { t } = useTranslation('onboarding');
  const [year, setYear] = useState<number>(1);
  const locationId = useWorkingLocation();
  const query = useOwnLocation();
  const location = query.data?.data;
  const can = useCan();
  if (locationId === null) return <NoLocation />;
  if (!can('update-location')) return <Refused />;
  if (query.error && !location)
    return (
      <LoadError error={query.error} onRetry={() => void query.refetch()} parent={{ to: '/', label: t('toPanel') }} />
    );
  return (
    <>
      <OnboardingTitle title={t('subscribe.title')} lead={t('subscribe.lead')} />
      {location ? (
        <div className={classes.narrow}>
          <div className={classes.licence}>
            <strong>{location.name}</strong>
            <LicenceState of={location} />
          </div>
          <div className={classes.terms}>
            <ChoiceCards
              legend={t('subscribe.term')}
              name="year"
              choices={terms.map(years => ({
                value: String(years),
                body: (
                  <>
                    <b>{t('subscribe.years', { count: years })}</b>
                    {showsLicences() && <small>{t('subscribe.until', { date: endAfter(location, years) })}</small>}
                  </>
                ),
              }))}
              value={String(year)}
              onChange={chosen => setYear(Number(chosen))}
              wordy
            />
          </div>
          <div className={classes.foot}>
            <Button variant="default" renderRoot={props => <Link to="/" {...props} />}>
              {t('subscribe.later')}
            </Button>
            <Button
              renderRoot={props => (
                <Link to="/onboarding/subscribe/payment" search={{ year: String(year) }} {...props} />
              )}
            >
              {t('continue')}
            </Button>
          </div>
        </div>
      ) : (
        <FormSkeleton fields={3} />
      )}
    </>
  );
}
