import { locationOrders } from '@portico/contract/list-orders.ts';
import type { Location } from '@portico/contract/locations.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocations } from '#features/locations/locations.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const LocationCreate = lazyPart(() => import('#features/locations/location-create.tsx'), 'LocationCreate');
const DeleteLocationDialog = lazyPart(
  () => import('#features/locations/delete-location-dialog.tsx'),
  'DeleteLocationDialog',
);

export function LocationsPage() {
  const { t } = useTranslation(['locations', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const [search] = useListSearch();
  const sorting = useSorting(locationOrders, { by: 'created', order: 'desc' });
  const locations = useLocations(search, sorting);
  const list = useListPage<Location>();
  const layout = useTableLayout('locations');
  const open = ({ id }: Location) => void navigate({ to: '/locations/$locationId/edit', params: { locationId: id } });
  const add = can('create-location') && <AddButton label={t('add')} onClick={list.add} />;
  const columns = useMemo<Column<Location>[]>(
    () => [
      {
        key: 'name',
        label: t('name'),
        sort: { by: 'name', first: 'asc' },
        cell: row => (
          <Link to="/locations/$locationId/edit" params={{ locationId: row.id }}>
            {row.name}
          </Link>
        ),
      },
      { key: 'address', label: t('address'), cell: row => row.address || '–', onPhone: 'labelled' },
      { key: 'portal', label: t('portal'), cell: row => row.portal?.name ?? '–', onPhone: 'labelled' },
      {
        key: 'created',
        label: t('createdAt'),
        sort: { by: 'created', first: 'desc' },
        nowrap: true,
        cell: row => formatDate(row.created_at),
        from: 'md',
      },
    ],
    [t],
  );

  return (
    <>
      <PageHeader title={t('title')} count={locations.data?.meta.total}>
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }}>
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={locations}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        sorting={sorting}
        layout={layout}
        rowActions={row => [list.editAction(row, open), can('create-location') && list.deleteAction(row)]}
        filtered={['search']}
        empty={{ drawing: 'venue', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(_, close) => <LocationCreate onClose={close} />}
        deletion={(row, close) => <DeleteLocationDialog location={row} onDeleted={close} onClose={close} />}
      />
    </>
  );
}
