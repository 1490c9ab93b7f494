import { Button } from '@mantine/core';
import type { PurchaseState } from '@portico/contract/purchase-states.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/onboarding/onboarding.module.css';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import type { ListSearch } from '#lib/search.ts';
import { tenant } from '#lib/tenant.ts';
import { meQuery } from '#lib/user.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

const lookAgainMs = 5000;

const words = {
  open: 'waiting',
  paid: 'paid',
  failed: 'failed',
  refused: 'inDoubt',
  refunding: 'refunding',
  refunded: 'refunded',
  'charged-back': 'chargedBack',
} as const satisfies Readonly<Record<PurchaseState, string>>;

/** The result of a payment, once the payment provider has sent the user back. */
export function LicencePaid({ locationId, paymentId }: { locationId: string; paymentId: string }) {
  const { t } = useTranslation('onboarding');
  const { year } = useSearch({ strict: false }) as ListSearch;
  const query = useQuery({
    ...queryOf(api.licencePayments.get, { params: { id: locationId, paymentId } }),
    refetchInterval: ({ state }) => (state.data?.data.state === 'open' ? lookAgainMs : false),
  });
  const queries = useQueryClient();
  const state = query.data?.data.state;
  useEffect(() => {
    if (state !== 'paid') return;
    // The screens behind show the end of the licence.
    for (const { path } of [api.locations.get, api.locations.list])
      void queries.invalidateQueries({ queryKey: [path] });
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [state, queries]);
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  if (!state) return <FormSkeleton fields={2} />;
  const isPaid = state === 'paid';
  return (
    <div className={classes.narrow}>
      <p className={isPaid ? classes.sent : classes.note} role="status">
        {isPaid && <IconCircleCheck size={28} stroke={1.7} aria-hidden />}
        {t(`payment.${words[state]}`, { name: tenant().brand.name })}
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
