import { type PurchaseProvider, purchaseProviders } from '@portico/contract/integration-names.ts';
import { type PurchaseState, purchaseStates } from '@portico/contract/purchase-states.ts';
import type { Purchase } from '@portico/contract/purchases.ts';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMinor, usePaidTabs } from '#features/packages/packages.api.ts';
import { PurchaseTotals } from '#features/packages/purchase-totals.tsx';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { daysOf } from '#lib/day-range.ts';
import { formatDateTime, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf, useListSearch } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import { daysFilter, locationFilter } from '#ui/sales-filters.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { Tag } from '#ui/tag.tsx';

const RefundForm = lazyPart(() => import('#features/packages/refund-form.tsx'), 'RefundForm');

const filterOf = (search: ListSearch) => ({
  search: search.search,
  location_id: search.location,
  provider: search.provider as PurchaseProvider | undefined,
  ...daysOf(search.days),
  state: search.state as PurchaseState | undefined,
});

const tones: Readonly<Record<PurchaseState, 'plain' | 'good' | 'warn' | 'bad'>> = {
  open: 'plain',
  paid: 'good',
  failed: 'plain',
  refused: 'bad',
  refunding: 'warn',
  refunded: 'warn',
  'charged-back': 'bad',
};

/** The purchases of guests on the portal, with refunds. */
export function PurchasesPage() {
  const { t } = useTranslation(['packages', 'common']);
  const mayChange = useCan()('update-clients');
  const [search] = useListSearch();
  const purchases = useList(queryOf(api.purchases.list, { query: { ...pagingOf(search), ...filterOf(search) } }));
  const totals = useList(queryOf(api.purchases.totals, { query: filterOf(search) }));
  const layout = useTableLayout('purchases');
  useLive('purchases', api.purchases.list);
  useLive('purchases', api.purchases.totals);
  const { locations } = useUser();
  const [refunded, setRefunded] = useState<Purchase>();
  const file = useMutation({
    mutationFn: () =>
      download(api.purchases.list, 'purchases.csv', { query: { ...filterOf(search), download: 'true' } }),
  });
  const check = useChange({
    send: (id: string) => call(api.purchases.check, { params: { id } }),
    refresh: [api.purchases.list, api.purchases.totals, api.sales.list],
    done: t('checked'),
  });
  const noteOf = (row: Purchase) => {
    if (row.problem) return t(`problems.${row.problem}`, { reported: row.reported ?? '' });
    if (row.state === 'paid' && row.returned > 0)
      return t('partBack', { amount: formatMinor(row.returned, row.currency) });
    return row.reported ? t('roomRefused', { code: row.reported }) : row.refund_reason;
  };
  const columns: Column<Purchase>[] = [
    { key: 'at', label: t('boughtAt'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    {
      key: 'email',
      label: t('guest'),
      cell: row => (row.email ? <EmailText email={row.email} /> : (row.visitor?.name ?? t('erased'))),
      onPhone: true,
    },
    { key: 'package', label: t('package'), cell: row => row.package, from: 'md' },
    { key: 'location', label: t('location'), cell: row => row.location.name, from: 'lg' },
    { key: 'days', label: t('days'), cell: row => formatNumber(row.days), numeric: true, from: 'md' },
    {
      key: 'amount',
      label: t('amount'),
      cell: row => formatMinor(row.amount, row.currency),
      numeric: true,
      onPhone: true,
    },
    {
      key: 'tax',
      label: t('taxIn'),
      cell: row => formatMinor(row.tax, row.currency),
      numeric: true,
      from: 'lg',
    },
    {
      key: 'state',
      label: t('state'),
      onPhone: true,
      cell: row => (
        <span>
          <Tag tone={tones[row.state]}>{t(`states.${row.state}`)}</Tag> {noteOf(row)}
        </span>
      ),
    },
    {
      key: 'provider',
      label: t('provider'),
      cell: row => [t(`providers.${row.provider}`), row.payment].filter(Boolean).join(' · '),
      from: 'lg',
    },
  ];
  const actionsOf = (row: Purchase): RowAction[] => [
    { label: t('check'), icon: IconRefresh, onClick: () => check.mutate(row.id) },
    ...(row.state === 'paid' || row.state === 'refused'
      ? [{ label: t('refund'), icon: IconArrowBackUp, danger: true, onClick: () => setRefunded(row) }]
      : []),
  ];
  return (
    <>
      <PageHeader title={t('paidAccess')} description={t('purchasesAbout')} tabs={usePaidTabs()}>
        <FileButton
          label={t('file')}
          loading={file.isPending}
          disabled={!purchases.data?.meta.total}
          onClick={() => file.mutate()}
        />
      </PageHeader>
      <FilterBar
        search={{ key: 'search', placeholder: t('search') }}
        filters={[
          {
            key: 'state',
            label: t('state'),
            kind: 'options',
            single: true,
            options: purchaseStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
          {
            key: 'provider',
            label: t('provider'),
            kind: 'options',
            single: true,
            options: purchaseProviders.map(value => ({ value, label: t(`providers.${value}`) })),
          },
          daysFilter(t('period')),
          ...locationFilter(t('location'), locations),
        ]}
      >
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      {/* When both fail, the list says so. */}
      {!(purchases.error && totals.error) && <PurchaseTotals query={totals} />}
      <ListTable
        label={t('purchases')}
        query={purchases}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => row.email ?? formatDateTime(row.created_at)}
        rowActions={mayChange && actionsOf}
        filtered={['search', 'state', 'provider', 'days', 'location']}
        empty={{ drawing: 'page', title: t('noPurchasesTitle'), text: t('noPurchases') }}
      />
      {refunded && <RefundForm purchase={refunded} onClose={() => setRefunded(undefined)} />}
    </>
  );
}
