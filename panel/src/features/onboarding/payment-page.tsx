import { Button } from '@mantine/core';
import type { LicenceTerms } from '@portico/contract/licence-payments.ts';
import type { Location } from '@portico/contract/locations.ts';
import { taxIn } from '@portico/contract/tax.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { LicencePaid } from '#features/onboarding/licence-paid.tsx';
import { termOf } from '#features/onboarding/licence-terms.ts';
import { useOwnLocation, usePayLicence, useRequestLicence } from '#features/onboarding/onboarding.api.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { NoLocation, Refused } from '#features/onboarding/setup-unavailable.tsx';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatMoney } from '#lib/format.ts';
import { endAfter } from '#lib/licence-days.ts';
import { useCan } from '#lib/permissions.ts';
import type { ListSearch } from '#lib/search.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** Leads to the payment provider where the tenant sells licences online; else sends a request, which its administrators grant. */
export function PaymentPage() {
  const { t } = useTranslation('onboarding');
  const locationId = useWorkingLocation();
  const can = useCan();
  const query = useOwnLocation();
  const location = query.data?.data;
  const offer = useQuery({
    ...queryOf(api.licencePayments.offer, { params: { id: locationId ?? '' } }),
    enabled: locationId !== null,
  });
  const { payment, location: paidFor } = useSearch({ strict: false }) as ListSearch;
  const paidAt = paidFor ?? locationId;
  if (payment && paidAt)
    return (
      <>
        <OnboardingTitle title={t('payment.payTitle')} lead={t('payment.payLead')} />
        <LicencePaid locationId={paidAt} paymentId={payment} />
      </>
    );
  if (locationId === null) return <NoLocation />;
  if (!can('update-location')) return <Refused />;
  const failed = [location ? null : query, offer.data ? null : offer].find(it => it?.error);
  if (failed?.error)
    return (
      <LoadError error={failed.error} onRetry={() => void failed.refetch()} parent={{ to: '/', label: t('toPanel') }} />
    );
  // The title says which of the two it is.
  if (!location || !offer.data) return <FormSkeleton fields={3} />;
  const terms = offer.data.data;
  return (
    <>
      <OnboardingTitle
        title={t(terms ? 'payment.payTitle' : 'payment.title')}
        lead={t(terms ? 'payment.payLead' : 'payment.lead')}
      />
      {terms ? <Pay location={location} terms={terms} /> : <Request location={location} />}
    </>
  );
}

function Pay({ location, terms }: { location: Location; terms: LicenceTerms }) {
  const { t } = useTranslation(['onboarding', 'common']);
  const year = termOf((useSearch({ strict: false }) as ListSearch).year);
  const { email } = useUser();
  const { mutate, isPending, isSuccess, reset } = usePayLicence(location.id);
  useEffect(() => {
    // The way back from the provider may show this page as it was left.
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, [reset]);
  const amount = terms.price * year;
  const tax = taxIn(amount, terms.tax_rate);
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
        <dt>{t('payment.amount')}</dt>
        <dd>
          <b>{formatMoney(amount / 100, terms.currency)}</b>
          {tax > 0 && ` (${t('payment.taxIn', { tax: formatMoney(tax / 100, terms.currency) })})`}
        </dd>
        <dt>{t('payment.receipt')}</dt>
        <dd>{email}</dd>
      </dl>
      <div className={classes.foot}>
        <Button variant="default" renderRoot={props => <Link to="/onboarding/subscribe" {...props} />}>
          {t('common:back')}
        </Button>
        <Button
          loading={isPending || isSuccess}
          onClick={() => mutate({ year, expected_end_at: location.license_end_at })}
        >
          {t('payment.pay')}
        </Button>
      </div>
    </div>
  );
}

function Request({ location }: { location: Location }) {
  const { t } = useTranslation(['onboarding', 'common']);
  const year = termOf((useSearch({ strict: false }) as ListSearch).year);
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
      <div className={classes.foot}>
        <Button variant="default" renderRoot={props => <Link to="/onboarding/subscribe" {...props} />}>
          {t('common:back')}
        </Button>
        <Button loading={isPending} onClick={() => mutate(year)}>
          {t('payment.send')}
        </Button>
      </div>
    </div>
  );
}
