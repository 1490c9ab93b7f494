import { batchOrders } from '@portico/contract/list-orders.ts';
import type { VoucherBatch } from '@portico/contract/vouchers.ts';
import { IconCards, IconPrinter } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMinor, usePrice, useValidity } from '#features/vouchers/voucher-terms.ts';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { pagingOf, searchOf, useListSearch } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { useLive } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RowName } from '#ui/row-name.tsx';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { Tag } from '#ui/tag.tsx';

const BatchForm = lazyPart(() => import('#features/vouchers/batch-form.tsx'), 'BatchForm');
const PrintersDialog = lazyPart(() => import('#features/vouchers/printers-dialog.tsx'), 'PrintersDialog');
const CardSettingsForm = lazyPart(() => import('#features/vouchers/card-settings-form.tsx'), 'CardSettingsForm');

export function VouchersPage() {
  const { t } = useTranslation(['vouchers', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const sorting = useSorting(batchOrders, { by: 'created', order: 'desc' });
  const batches = useList(
    queryOf(api.vouchers.list, {
      query: { ...pagingOf(search), ...searchOf(search), sort: sorting.by, order: sorting.order },
    }),
  );
  useLive('vouchers', api.vouchers.list);
  const list = useListPage<VoucherBatch>();
  const layout = useTableLayout('vouchers');
  const [card, setCard] = useState(false);
  const [printers, setPrinters] = useState(false);
  const location = useWorkingLocation();
  const validity = useValidity();
  const price = usePrice();
  const navigate = useNavigate();
  const show = ({ id }: VoucherBatch) => void navigate({ to: '/vouchers/$batchId', params: { batchId: id } });
  const add = can('store-vouchers') && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<VoucherBatch>[] = [
    {
      key: 'name',
      label: t('name'),
      sort: { by: 'name', first: 'asc' },
      cell: row => (
        <RowName name={row.name} onOpen={() => show(row)}>
          {row.at_desk && <Tag tone="accent">{t('atDeskTag')}</Tag>}
        </RowName>
      ),
    },
    { key: 'location', label: t('location'), cell: row => row.location.name, from: 'lg' },
    { key: 'profile', label: t('profile'), cell: row => row.profile?.name ?? '–', from: 'md' },
    { key: 'validity', label: t('validity'), cell: validity },
    { key: 'price', label: t('price'), cell: price, numeric: true, from: 'md' },
    { key: 'total', label: t('total'), cell: row => formatNumber(row.total), numeric: true },
    { key: 'used', label: t('used'), cell: row => formatNumber(row.used), numeric: true },
    {
      key: 'left',
      label: t('left'),
      sort: { by: 'left', first: 'asc' },
      cell: row => formatNumber(row.left),
      numeric: true,
      onPhone: 'labelled',
    },
    {
      key: 'revenue',
      label: t('revenue'),
      cell: row => formatMinor(row.revenue, row.currency),
      numeric: true,
      onPhone: 'labelled',
    },
    {
      key: 'created',
      label: t('createdAt'),
      sort: { by: 'created', first: 'desc' },
      nowrap: true,
      cell: row => formatDate(row.created_at),
      from: 'lg',
    },
  ];
  return (
    <>
      <PageHeader
        title={t('title')}
        count={batches.data?.meta.total}
        description={t('about')}
        more={
          can('update-vouchers') && location
            ? [
                { label: t('printers.title'), icon: IconPrinter, onClick: () => setPrinters(true) },
                { label: t('settings.title'), icon: IconCards, onClick: () => setCard(true) },
              ]
            : []
        }
      >
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }}>
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={batches}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={show}
        sorting={sorting}
        layout={layout}
        filtered={['search']}
        empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(_, close) => (
          <BatchForm usual={batches.data?.data.find(row => row.price > 0)?.currency} onClose={close} />
        )}
      />
      {printers && location && <PrintersDialog locationId={location} onClose={() => setPrinters(false)} />}
      {card && location && <CardSettingsForm locationId={location} onClose={() => setCard(false)} />}
    </>
  );
}
