import { Button } from '@mantine/core';
import type { VisitorRow } from '@portico/contract/visitors.ts';
import { IconDownload, IconFileImport, IconPrinter, IconUsersPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteVisitor, useDownloadVisitors, useVisitors } from '#features/visitors/visitors.api.ts';
import classes from '#features/visitors/visitors.module.css';
import { formatDate } from '#lib/format.ts';
import { useHashAction } from '#lib/hash-action.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
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

export function VisitorsPage() {
  const { t } = useTranslation(['visitors', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const visitors = useVisitors(search);
  const remove = useDeleteVisitor();
  const file = useDownloadVisitors();
  const list = useListPage<VisitorRow>();
  const [many, setMany] = useState<'bulk' | 'import'>();
  useHashAction('bulk', () => setMany('bulk'));
  const [printing, setPrinting] = useState<VisitorRow>();

  const navigate = useNavigate();
  const open = ({ id }: VisitorRow) => void navigate({ to: '/visitors/$visitorId', params: { visitorId: id } });
  const mayEdit = can('update-clients');
  const add = can('store-clients') && <AddButton label={t('add')} onClick={list.add} />;
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
    mayEdit && !row.erased_at && list.editAction(row),
    mayEdit &&
      !row.erased_at &&
      row.provider_type === 'username' && {
        label: t('printCard'),
        icon: IconPrinter,
        onClick: () => setPrinting(row),
      },
    can('delete-clients') && list.deleteAction(row),
  ];

  return (
    <>
      <PageHeader title={t('title')} count={visitors.data?.meta.total} maxCount={search.search ? 1000 : undefined}>
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
            startsFull: true,
            options: providers.map(slug => ({ value: slug, label: t(`provider.${slug}`) })),
          },
        ]}
      />
      <ListTable
        list={list}
        label={t('title')}
        query={visitors}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={open}
        rowActions={(mayEdit || can('delete-clients')) && actions}
        filtered={search.search || search.providers}
        empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(visitor, close) => <VisitorDialog id={visitor?.id} onClose={close} />}
        deletion={{ mutation: remove }}
      />
      {many === 'bulk' && <BulkDialog onClose={() => setMany(undefined)} />}
      {many === 'import' && <ImportDialog onClose={() => setMany(undefined)} />}
      {printing && <CardDialog id={printing.id} onClose={() => setPrinting(undefined)} />}
    </>
  );
}
