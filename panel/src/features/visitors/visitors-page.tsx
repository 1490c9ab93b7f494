import { Button } from '@mantine/core';
import type { VisitorRow } from '@portico/contract/visitors.ts';
import {
  IconDownload,
  IconFileImport,
  IconPencil,
  IconPlus,
  IconPrinter,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteVisitor, useDownloadVisitors, useVisitors } from '#features/visitors/visitors.api.ts';
import classes from '#features/visitors/visitors.module.css';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

/** In the order of a portal. Repeated here, because importing the contract's list would load its schemas. */
const providers = [
  'citizen-id',
  'room-number',
  'sms',
  'username',
  'temp',
  'email',
] as const satisfies readonly VisitorRow['provider_type'][];

const VisitorDialog = lazyPart(() => import('#features/visitors/visitor-dialog.tsx'), 'VisitorDialog');
const BulkDialog = lazyPart(() => import('#features/visitors/bulk-dialog.tsx'), 'BulkDialog');
const ImportDialog = lazyPart(() => import('#features/visitors/import-dialog.tsx'), 'ImportDialog');
const CardDialog = lazyPart(() => import('#features/visitors/card-dialog.tsx'), 'CardDialog');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

export function VisitorsPage() {
  const { t } = useTranslation(['visitors', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const visitors = useVisitors(search);
  const remove = useDeleteVisitor();
  const file = useDownloadVisitors();
  const [editing, setEditing] = useState<VisitorRow | 'new'>();
  const [deleting, setDeleting] = useState<VisitorRow>();
  const [many, setMany] = useState<'bulk' | 'import'>();
  const [printing, setPrinting] = useState<VisitorRow>();

  const navigate = useNavigate();
  const open = ({ id }: VisitorRow) => void navigate({ to: '/visitors/$visitorId', params: { visitorId: id } });
  const edit = can('update-clients') ? setEditing : undefined;
  const add = can('store-clients') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t('add')}
    </Button>
  );
  const nameOf = (row: VisitorRow) => (row.erased_at ? t('erased') : row.name);
  const columns: Column<VisitorRow>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName name={nameOf(row)} onOpen={() => open(row)}>
          {row.blocked && !row.erased_at && <Tag tone="warn">{t('blocked')}</Tag>}
        </RowName>
      ),
    },
    {
      key: 'provider',
      label: t('method'),
      cell: row => (
        <span>
          {t(`provider.${row.provider_type}`)}{' '}
          <small className={classes.faint}>{row.provider_id ?? (row.erased_at ? '' : t('notSignedIn'))}</small>
        </span>
      ),
    },
    {
      key: 'email',
      label: t('email'),
      cell: row => <span className={classes.address}>{row.email ?? '–'}</span>,
      from: 'md',
    },
    { key: 'phone', label: t('phone'), nowrap: true, cell: row => row.phone ?? '–', from: 'lg' },
    {
      key: 'profile',
      label: t('profile'),
      cell: row => (row.special_profile ? t('own') : (row.profile?.name ?? '–')),
      from: 'md',
    },
    { key: 'device', label: t('device'), cell: row => row.device?.name ?? '–', from: 'lg' },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at) },
  ];
  const actions = (row: VisitorRow) => [
    ...(edit && !row.erased_at ? [{ label: t('common:edit'), icon: IconPencil, onClick: () => edit(row) }] : []),
    ...(edit && !row.erased_at && row.provider_type === 'username'
      ? [{ label: t('printCard'), icon: IconPrinter, onClick: () => setPrinting(row) }]
      : []),
    ...(can('delete-clients')
      ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
      : []),
  ];

  return (
    <>
      <PageHeader title={t('title')} count={visitors.data?.meta.total} most={search.search ? 1000 : undefined}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={file.isPending}
          onClick={() => file.mutate(search)}
          disabled={!visitors.data?.meta.total}
        >
          {t('csv')}
        </Button>
        {can('store-clients') && (
          <>
            <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={() => setMany('import')}>
              {t('importCsv')}
            </Button>
            <Button variant="default" leftSection={<IconUsersPlus size={16} />} onClick={() => setMany('bulk')}>
              {t('bulkAdd')}
            </Button>
          </>
        )}
        {add}
      </PageHeader>
      <FilterBar
        search={{ key: 'search', placeholder: t('search') }}
        filters={[
          {
            key: 'providers',
            label: t('method'),
            kind: 'options',
            options: providers.map(slug => ({ value: slug, label: t(`provider.${slug}`) })),
          },
        ]}
      />
      <DataTable
        label={t('title')}
        query={visitors}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={open}
        rowActions={can('update-clients') || can('delete-clients') ? actions : undefined}
        empty={
          search.search || search.providers ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="people" title={t('emptyTitle')} text={t('emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {editing && (
        <VisitorDialog id={editing === 'new' ? undefined : editing.id} onClose={() => setEditing(undefined)} />
      )}
      {many === 'bulk' && <BulkDialog onClose={() => setMany(undefined)} />}
      {many === 'import' && <ImportDialog onClose={() => setMany(undefined)} />}
      {printing && <CardDialog id={printing.id} onClose={() => setPrinting(undefined)} />}
      {deleting && (
        <ConfirmDelete
          name={nameOf(deleting)}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
