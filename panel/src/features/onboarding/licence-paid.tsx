import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/onboarding/onboarding.module.css';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import type { ListSearch } from '#lib/search.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

const lookAgainMs = 5000;

/** What became of a payment, once the payment provider has sent the user back. */
export function LicencePaid({ locationId, paymentId }: { locationId: string; paymentId: string }) {
  const { t } = useTranslation('onboarding');
  const { year } = useSearch({ strict: false }) as ListSearch;
  const query = useQuery({
    ...queryOf(api.licencePayments.get, { params: { id: locationId, paymentId } }),
    refetchInterval: ({ state }) => (state.data?.data.state === 'open' ? lookAgainMs : false),
  });
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <FormSkeleton fields={2} />;
  const { state } = query.data.data;
  const isPaid = state === 'paid';
  const words = isPaid ? 'paid' : state === 'open' ? 'waiting' : state === 'failed' ? 'failed' : 'inDoubt';
  return (
    <div className={classes.narrow}>
      <p className={isPaid ? classes.sent : classes.note} role="status">
        {isPaid && <IconCircleCheck size={28} stroke={1.7} aria-hidden />}
        {t(`payment.${words}`)}
      </p>
      <div className={classes.doneFoot}>
        {state === 'failed' && (
          <Button
            variant="default"
            renderRoot={props => <Link to="/onboarding/subscribe/payment" search={year ? { year } : {}} {...props} />}
          >
            {t('payment.again')}
          </Button>
        )}
        <Button renderRoot={props => <Link to="/" {...props} />}>{t('done.button')}</Button>
      </div>
    </div>
  );
}
