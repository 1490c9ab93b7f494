import { Button } from '@mantine/core';
import type { PortalRow } from '@portico/contract/portals.ts';
import { IconCopy, IconExternalLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewAddress, useDeletePortal, usePortals } from '#features/portals/portals.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const PortalCreate = lazyPart(() => import('#features/portals/list/portal-create.tsx'), 'PortalCreate');
const PortalDuplicate = lazyPart(() => import('#features/portals/list/portal-duplicate.tsx'), 'PortalDuplicate');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

export function PortalsPage() {
  const { t } = useTranslation(['portals', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const [search] = useListSearch();
  const portals = usePortals(search);
  const remove = useDeletePortal();
  const [creating, setCreating] = useState(false);
  const [copying, setCopying] = useState<PortalRow>();
  const [deleting, setDeleting] = useState<PortalRow>();

  const open = ({ id }: PortalRow) => void navigate({ to: '/portals/$portalId/edit', params: { portalId: id } });
  const add = can('store-portals') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('add')}
    </Button>
  );
  const columns: Column<PortalRow>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <Link to="/portals/$portalId/edit" params={{ portalId: row.id }}>
          {row.name}
        </Link>
      ),
    },
    { key: 'location', label: t('location'), cell: row => row.location?.name ?? '–' },
    { key: 'used', label: t('usedBy'), cell: row => formatNumber(row.used_by), numeric: true },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'md' },
  ];

  return (
    <>
      <PageHeader title={t('title')} count={portals.data?.meta.total}>
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }} />
      <DataTable
        label={t('title')}
        query={portals}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        rowActions={row => [
          { label: t('common:edit'), icon: IconPencil, onClick: () => open(row) },
          {
            label: t('preview'),
            icon: IconExternalLink,
            onClick: () => window.open(previewAddress(row.id), '_blank', 'noopener'),
          },
          ...(can('store-portals') ? [{ label: t('duplicate'), icon: IconCopy, onClick: () => setCopying(row) }] : []),
          ...(can('delete-portals')
            ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
            : []),
        ]}
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="page" title={t('emptyTitle')} text={t('emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {creating && <PortalCreate onClose={() => setCreating(false)} />}
      {copying && <PortalDuplicate portal={copying} onClose={() => setCopying(undefined)} />}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          text={deleting.used_by > 0 ? t('deleteUsed', { name: deleting.name, count: deleting.used_by }) : undefined}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
