import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocations } from '#features/locations/locations.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const LocationCreate = lazyPart(() => import('#features/locations/location-create.tsx'), 'LocationCreate');
const DeleteQuestions = lazyPart(() => import('#features/locations/delete-questions.tsx'), 'DeleteQuestions');

export function LocationsPage() {
  const { t } = useTranslation(['locations', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const [search] = useListSearch();
  const locations = useLocations(search);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Location>();

  const open = ({ id }: Location) => void navigate({ to: '/locations/$locationId/edit', params: { locationId: id } });
  const add = can('create-location') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('add')}
    </Button>
  );
  const columns: Column<Location>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <Link to="/locations/$locationId/edit" params={{ locationId: row.id }}>
          {row.name}
        </Link>
      ),
    },
    { key: 'address', label: t('address'), cell: row => row.address || '–' },
    { key: 'portal', label: t('portal'), cell: row => row.portal?.name ?? '–' },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'md' },
  ];

  return (
    <>
      <PageHeader title={t('title')} count={locations.data?.meta.total}>
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }} />
      <DataTable
        label={t('title')}
        query={locations}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        rowActions={row => [
          { label: t('common:edit'), icon: IconPencil, onClick: () => open(row) },
          ...(can('create-location')
            ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
            : []),
        ]}
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="venue" title={t('emptyTitle')} text={t('emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {creating && <LocationCreate onClose={() => setCreating(false)} />}
      {deleting && (
        <DeleteQuestions
          location={deleting}
          onDeleted={() => setDeleting(undefined)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
