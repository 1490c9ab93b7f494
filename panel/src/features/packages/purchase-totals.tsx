import type { PurchaseTotal } from '@portico/contract/purchases.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatMinor } from '#features/packages/packages.api.ts';
import classes from '#features/packages/purchase-totals.module.css';
import { LoadError } from '#ui/load-error.tsx';

/** Payments and refunds per provider and currency, of all purchases that match the filters. */
export function PurchaseTotals({ query }: { query: UseQueryResult<{ data: PurchaseTotal[] }> }) {
  const { t } = useTranslation('packages');
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <ul className={classes.totals} aria-label={t('totals')} aria-busy={query.isPlaceholderData}>
      {query.data?.data.map(it => (
        <li key={`${it.provider} ${it.currency}`}>
          <span>{t(`providers.${it.provider}`)}</span>
          <strong>{formatMinor(it.paid - it.refunded, it.currency)}</strong>
          <small>
            {t('paidCount', { count: it.count, amount: formatMinor(it.paid, it.currency) })}
            {it.refunded > 0 && ` · ${t('refundedSum', { amount: formatMinor(it.refunded, it.currency) })}`}
            {it.tax > 0 && ` · ${t('taxSum', { amount: formatMinor(it.tax, it.currency) })}`}
          </small>
        </li>
      ))}
    </ul>
  );
}
