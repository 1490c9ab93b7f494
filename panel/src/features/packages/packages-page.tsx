import type { SoldPackage } from '@portico/contract/packages.ts';
import { useTranslation } from 'react-i18next';
import { formatMinor, nameOf, usePaidTabs } from '#features/packages/packages.api.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { formatNumber, formatPercent } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { pagingOf, useListSearch } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');
const PackageForm = lazyPart(() => import('#features/packages/package-form.tsx'), 'PackageForm');

/** The packages that guests can buy on the portal. */
export function PackagesPage() {
  const { t } = useTranslation(['packages', 'common']);
  const mayChange = useCan()('update-location');
  const [search] = useListSearch();
  const packages = useList(queryOf(api.packages.list, { query: pagingOf(search) }));
  useLive('packages', api.packages.list);
  useLive('purchases', api.packages.list);
  const list = useListPage<SoldPackage>();
  const add = mayChange && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<SoldPackage>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName name={nameOf(row)} onOpen={mayChange ? () => list.edit(row) : undefined}>
          {!row.is_active && <Tag>{t('off')}</Tag>}
        </RowName>
      ),
    },
    { key: 'location', label: t('location'), cell: row => row.location.name, from: 'lg', onPhone: true },
    { key: 'profile', label: t('profile'), cell: row => row.profile.name, from: 'md' },
    {
      key: 'price',
      label: t('dayPrice'),
      cell: row => formatMinor(row.price, row.currency),
      numeric: true,
      onPhone: 'labelled',
    },
    { key: 'tax', label: t('tax'), cell: row => formatPercent(row.tax_rate / 10_000), numeric: true, from: 'lg' },
    {
      key: 'days',
      label: t('days'),
      cell: row => (row.min_days === row.max_days ? formatNumber(row.min_days) : `${row.min_days}–${row.max_days}`),
      numeric: true,
      from: 'md',
    },
    { key: 'sold', label: t('sold'), cell: row => formatNumber(row.sold), numeric: true, onPhone: 'labelled' },
    {
      key: 'revenue',
      label: t('revenue'),
      onPhone: 'labelled',
      cell: row => row.revenue.map(it => formatMinor(it.amount, it.currency)).join(' · ') || '–',
      numeric: true,
    },
  ];
  return (
    <>
      <PageHeader title={t('paidAccess')} description={t('about')} tabs={usePaidTabs()}>
        {add}
      </PageHeader>
      <ListTable
        list={list}
        label={t('title')}
        query={packages}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={mayChange ? list.edit : undefined}
        rowActions={mayChange && (row => [list.editAction(row), list.deleteAction(row)])}
        empty={{ drawing: 'page', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(row, close) => <PackageForm item={row} usual={packages.data?.data[0]?.currency} onClose={close} />}
        deletion={(row, close) => <PackageDelete item={row} onClose={close} />}
      />
    </>
  );
}

function PackageDelete({ item, onClose }: { item: SoldPackage; onClose: () => void }) {
  const { t } = useTranslation(['packages', 'common']);
  const send = () => call(api.packages.delete, { params: { id: item.id } });
  const remove = useChange({ send, refresh: [api.packages.list, api.profiles.list], done: t('deleted') });
  return (
    <Confirm
      opened
      title={t('deleteTitle', { name: nameOf(item) })}
      text={t('deleteText')}
      confirm={t('common:delete')}
      cancel={t('common:cancel')}
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
