import type { ListedPortal } from '@portico/contract/portals.ts';
import { IconCopy, IconExternalLink } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PortalPeriods } from '#features/portals/list/portal-periods.tsx';
import classes from '#features/portals/list/portal-picture.module.css';
import { PortalPicture } from '#features/portals/list/portal-picture.tsx';
import { previewAddress, useDeletePortal, usePortals } from '#features/portals/portals.api.ts';
import { api } from '#lib/api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { loadTexts } from '#lib/i18n.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';
import { Tag } from '#ui/tag.tsx';

const PortalCreate = lazyPart(async () => {
  await loadTexts('portal-editor');
  return import('#features/portals/list/portal-create.tsx');
}, 'PortalCreate');
const PortalDuplicate = lazyPart(() => import('#features/portals/list/portal-duplicate.tsx'), 'PortalDuplicate');

export function PortalsPage() {
  const { t } = useTranslation(['portals', 'common']);
  const can = useCan();
  const navigate = useNavigate();
  const [search] = useListSearch();
  const portals = usePortals(search);
  useLive('portals', api.portals.list);
  const remove = useDeletePortal();
  const list = useListPage<ListedPortal>();
  const layout = useTableLayout('portals');
  const [copying, setCopying] = useState<ListedPortal>();

  const open = ({ id }: ListedPortal) => void navigate({ to: '/portals/$portalId/edit', params: { portalId: id } });
  const add = can('store-portals') && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<ListedPortal>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <span className={classes.name}>
          <PortalPicture design={row.design} />
          <span>
            <Link to="/portals/$portalId/edit" params={{ portalId: row.id }}>
              {row.name}
            </Link>{' '}
            {row.has_draft && <Tag tone="warn">{t('draft')}</Tag>}
            <PortalPeriods periods={row.periods} />
          </span>
        </span>
      ),
    },
    { key: 'location', label: t('location'), cell: row => row.location?.name ?? '–', onPhone: true },
    { key: 'used', label: t('usedBy'), cell: row => formatNumber(row.used_by), numeric: true },
    { key: 'updated', label: t('updatedAt'), nowrap: true, cell: row => formatDate(row.updated_at), from: 'lg' },
    {
      key: 'created',
      label: t('createdAt'),
      nowrap: true,
      cell: row => formatDate(row.created_at),
      from: 'md',
      onPhone: 'labelled',
    },
  ];

  return (
    <>
      <PageHeader title={t('title')} count={portals.data?.meta.total}>
        {add}
      </PageHeader>
      <FilterBar search={{ key: 'search', placeholder: t('search') }}>
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={portals}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        layout={layout}
        rowActions={row => [
          list.editAction(row, open),
          {
            label: t('preview'),
            icon: IconExternalLink,
            onClick: () => window.open(previewAddress(row.id), '_blank', 'noopener'),
          },
          can('store-portals') && { label: t('duplicate'), icon: IconCopy, onClick: () => setCopying(row) },
          can('delete-portals') && list.deleteAction(row),
        ]}
        filtered={['search']}
        empty={{ drawing: 'page', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(_, close) => <PortalCreate onClose={close} />}
        deletion={{
          mutation: remove,
          text: ({ name, used_by: used, periods }) =>
            [
              used > 0 && t('deleteUsed', { name, count: used }),
              periods.length > 0 && t('deletePlanned', { name, count: periods.length }),
            ]
              .filter(Boolean)
              .join(' ') || undefined,
        }}
      />
      {copying && <PortalDuplicate portal={copying} onClose={() => setCopying(undefined)} />}
    </>
  );
}
