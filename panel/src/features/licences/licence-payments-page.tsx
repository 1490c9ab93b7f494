import type { LicencePayment } from '@portico/contract/licence-payments.ts';
import { type PurchaseState, purchaseStates } from '@portico/contract/purchase-states.ts';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsHeader } from '#features/tenants/public.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { formatDate, formatDateTime, formatMoney } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { pagingOf, useListSearch } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { useLive } from '#lib/use-live.ts';
import { Below } from '#ui/below.tsx';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { LoadError } from '#ui/load-error.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import { Tag } from '#ui/tag.tsx';

const LicenceTermsCard = lazyPart(
  () => import('#features/licences/licence-terms-card.tsx'),
  'LicenceTermsCard',
  'around',
);
const LicenceRefundForm = lazyPart(() => import('#features/licences/licence-refund-form.tsx'), 'LicenceRefundForm');

const tones: Readonly<Record<PurchaseState, 'plain' | 'good' | 'warn' | 'bad'>> = {
  open: 'plain',
  paid: 'good',
  failed: 'plain',
  refused: 'bad',
  refunding: 'warn',
  refunded: 'warn',
  'charged-back': 'bad',
};

/** The price of licences, and what customers paid for them. */
export function LicencePaymentsPage() {
  const { t } = useTranslation('licences');
  const mayChange = useCan()('tenant-admin');
  const [search] = useListSearch();
  const state = search.state as PurchaseState | undefined;
  const terms = useQuery(queryOf(api.licencePayments.terms));
  const payments = useList(queryOf(api.licencePayments.list, { query: { ...pagingOf(search), state } }));
  useLive('licence-payments', api.licencePayments.list);
  const [refunded, setRefunded] = useState<LicencePayment>();
  const check = useChange({
    send: (id: string) => call(api.licencePayments.check, { params: { id } }),
    refresh: [api.licencePayments.list, api.locations.list, api.locations.get],
    done: t('checked'),
  });
  const columns: Column<LicencePayment>[] = [
    { key: 'at', label: t('time'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    { key: 'location', label: t('location'), cell: row => row.location.name, onPhone: true },
    { key: 'years', label: t('years'), cell: row => t('yearCount', { count: row.years }), from: 'md' },
    {
      key: 'amount',
      label: t('amount'),
      cell: row => formatMoney(row.amount / 100, row.currency),
      numeric: true,
      onPhone: true,
    },
    {
      key: 'state',
      label: t('state'),
      onPhone: true,
      cell: row => (
        <span>
          <Tag tone={tones[row.state]}>{t(`states.${row.state}`)}</Tag>{' '}
          {row.problem ? t(`problems.${row.problem}`, { reported: row.reported ?? '' }) : row.refund_reason}
        </span>
      ),
    },
    {
      key: 'until',
      label: t('until'),
      nowrap: true,
      from: 'lg',
      cell: row => (row.license_end_at ? formatDate(row.license_end_at) : '–'),
    },
    { key: 'user', label: t('by'), from: 'lg', cell: row => row.user?.name ?? row.email },
  ];
  const actionsOf = (row: LicencePayment): RowAction[] => [
    { label: t('check'), icon: IconRefresh, onClick: () => check.mutate(row.id) },
    ...(row.state === 'paid' || row.state === 'refused'
      ? [{ label: t('refund'), icon: IconArrowBackUp, danger: true, onClick: () => setRefunded(row) }]
      : []),
  ];
  return (
    <>
      <SettingsHeader />
      {/* One skeleton until the form is there, because the list below would move. */}
      <Suspense fallback={<FormSkeleton fields={3} />}>
        {terms.error && !terms.data ? (
          <LoadError error={terms.error} onRetry={() => void terms.refetch()} />
        ) : terms.data ? (
          <LicenceTermsCard terms={terms.data.data} />
        ) : (
          <FormSkeleton fields={3} />
        )}
        <Below list={terms}>
          <FilterBar
            filters={[
              {
                key: 'state',
                label: t('state'),
                kind: 'options',
                single: true,
                options: purchaseStates.map(value => ({ value, label: t(`states.${value}`) })),
              },
            ]}
          />
          <ListTable
            label={t('payments')}
            query={payments}
            columns={columns}
            rowKey={row => row.id}
            rowName={row => row.location.name}
            rowActions={mayChange && actionsOf}
            filtered={['state']}
            empty={{ drawing: 'page', title: t('emptyTitle'), text: t('emptyText') }}
          />
        </Below>
      </Suspense>
      {refunded && <LicenceRefundForm payment={refunded} onClose={() => setRefunded(undefined)} />}
    </>
  );
}
