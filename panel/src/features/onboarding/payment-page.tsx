import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { termOf } from '#features/onboarding/licence-terms.ts';
import { useOwnLocation, useRequestLicence } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { NoLocation } from '#features/onboarding/setup-unavailable.tsx';
import { endAfter } from '#lib/licence-days.ts';
import { useCan } from '#lib/permissions.ts';
import type { ListSearch } from '#lib/search.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** Sends a licence request, which the tenant's administrators grant. No payment takes place here. */
export function PaymentPage() {
  const { t } = useTranslation('onboarding');
  const locationId = useWorkingLocation();
  const query = useOwnLocation();
  const location = query.data?.data;
  if (locationId === null) return <NoLocation />;
  if (query.error && !location) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <OnboardingTitle title={t('payment.title')} lead={t('payment.lead')} />
      {location ? <Request location={location} /> : <FormSkeleton fields={3} />}
    </>
  );
}

function Request({ location }: { location: Location }) {
  const { t } = useTranslation(['onboarding', 'common']);
  const year = termOf((useSearch({ strict: false }) as ListSearch).year);
  const may = useCan()('update-location');
  const { email } = useUser();
  const { mutate, isPending, isSuccess } = useRequestLicence(location.id);
  if (isSuccess)
    return (
      <div className={classes.narrow}>
        <p className={classes.sent} role="status">
          <IconCircleCheck size={28} stroke={1.7} aria-hidden />
          {t('payment.sent')}
        </p>
        <div className={classes.doneFoot}>
          <Button renderRoot={props => <Link to="/" {...props} />}>{t('done.button')}</Button>
        </div>
      </div>
    );
  return (
    <div className={classes.narrow}>
      <dl className={classes.summary}>
        <dt>{t('payment.location')}</dt>
        <dd>{location.name}</dd>
        <dt>{t('subscribe.term')}</dt>
        <dd>{t('subscribe.years', { count: year })}</dd>
        {showsLicences() && (
          <>
            <dt>{t('payment.end')}</dt>
            <dd>{endAfter(location, year)}</dd>
          </>
        )}
        <dt>{t('payment.answer')}</dt>
        <dd>{email}</dd>
      </dl>
      {!may && <p className={classes.note}>{t('payment.notAllowed')}</p>}
      <div className={classes.foot}>
        <Button variant="default" renderRoot={props => <Link to="/onboarding/subscribe" {...props} />}>
          {t('common:back')}
        </Button>
        <Button disabled={!may} loading={isPending} onClick={() => mutate(year)}>
          {t('payment.send')}
        </Button>
      </div>
    </div>
  );
}
