import { visitorOrders, visitorStates } from '@portico/contract/visitor-kinds.ts';
import type { ListedVisitor } from '@portico/contract/visitors.ts';
import {
  IconCalendarPlus,
  IconDatabaseImport,
  IconDownload,
  IconFileImport,
  IconPlayerPause,
  IconPlayerPlay,
  IconPrinter,
  IconUsersPlus,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePause, useResume } from '#features/visitors/visitor-page.api.ts';
import { VisitorState } from '#features/visitors/visitor-state.tsx';
import { loadVisitors, useDeleteVisitor, useDownloadVisitors, useVisitors } from '#features/visitors/visitors.api.ts';
import classes from '#features/visitors/visitors.module.css';
import { api } from '#lib/api.ts';
import { formatDate, formatDateTime, formatDay } from '#lib/format.ts';
import { useHashAction } from '#lib/hash-action.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { type HeaderAction, PageHeader } from '#ui/page-header.tsx';
import { RowName } from '#ui/row-name.tsx';
import { matchingOf, useSelection } from '#ui/selection.ts';
import { useSorting } from '#ui/sorting.ts';
import { StatusDot } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

/** In the order of a portal. Repeated here, because importing the contract's list would load its schemas. */
const providers = [
  'citizen-id',
  'room-number',
  'sms',
  'username',
  'temp',
  'email',
  'voucher',
] as const satisfies readonly ListedVisitor['provider_type'][];

const VisitorDialog = lazyPart(() => import('#features/visitors/visitor-dialog.tsx'), 'VisitorDialog');
const BulkDialog = lazyPart(() => import('#features/visitors/bulk-dialog.tsx'), 'BulkDialog');
const ImportDialog = lazyPart(() => import('#features/visitors/import-dialog.tsx'), 'ImportDialog');
const ExtendVisitor = lazyPart(() => import('#features/visitors/extend-visitor.tsx'), 'ExtendVisitor');
const SelectedVisitors = lazyPart(() => import('#features/visitors/selected-visitors.tsx'), 'SelectedVisitors');
const CardDialog = lazyPart(() => import('#features/visitors/card-dialog.tsx'), 'CardDialog');

export function VisitorsPage() {
  const { t } = useTranslation(['visitors', 'visitor', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const sorting = useSorting(visitorOrders, { by: 'created', order: 'desc' });
  const visitors = useVisitors(search, sorting);
  const selection = useSelection((it: ListedVisitor) => it.id);
  const layout = useTableLayout('visitors', ['profile']);
  const remove = useDeleteVisitor();
  const file = useDownloadVisitors();
  const list = useListPage<ListedVisitor>();
  const [many, setMany] = useState<'bulk' | 'import'>();
  useHashAction('bulk', () => setMany('bulk'));
  const [open, setOpen] = useState<{ dialog: 'print' | 'extend'; visitor: ListedVisitor }>();
  const close = () => setOpen(undefined);
  const pause = usePause();
  const resume = useResume();
  useLive('visitors', api.visitors.list);
  useLive('sessions', api.visitors.list);

  const navigate = useNavigate();
  const show = useCallback(
    ({ id }: ListedVisitor) => void navigate({ to: '/visitors/$visitorId', params: { visitorId: id } }),
    [navigate],
  );
  const mayEdit = can('update-clients');
  const add = can('store-clients') && <AddButton label={t('add')} onClick={list.add} />;
  const nameOf = useCallback((row: ListedVisitor) => (row.erased_at ? t('erased') : row.name), [t]);
  const more: HeaderAction[] = [
    {
      label: t('csv'),
      icon: IconDownload,
      onClick: () => file.mutate(search),
      pending: file.isPending,
      disabled: !visitors.data?.meta.total,
    },
    ...(can('store-clients')
      ? [
          { label: t('importCsv'), icon: IconFileImport, onClick: () => setMany('import') },
          {
            label: t('importOther'),
            icon: IconDatabaseImport,
            onClick: () => void navigate({ to: '/visitors/import' }),
          },
          { label: t('bulkAdd'), icon: IconUsersPlus, onClick: () => setMany('bulk') },
        ]
      : []),
  ];
  const columns = useMemo<Column<ListedVisitor>[]>(
    () => [
      {
        key: 'name',
        label: t('name'),
        sort: { by: 'name', first: 'asc' },
        cell: row => <RowName name={nameOf(row)} onOpen={() => show(row)} />,
      },
      {
        key: 'email',
        label: t('email'),
        cell: row => <Short text={row.email ?? '–'} />,
        from: 'xl',
      },
      { key: 'phone', label: t('phone'), nowrap: true, cell: row => row.phone ?? '–', from: 'lg' },
      { key: 'device', label: t('device'), cell: row => <Short text={row.device?.name ?? '–'} />, from: 'lg' },
      {
        key: 'provider',
        label: t('method'),
        cell: row => (
          <span>
            {t(`provider.${row.provider_type}`)}{' '}
            <small className={classes.faint}>
              <Short text={row.provider_id ?? (row.erased_at ? '' : t('notSignedIn'))} />
            </small>
          </span>
        ),
      },
      {
        key: 'status',
        label: t('status'),
        cell: row => (
          <span className={classes.state}>
            <VisitorState visitor={row} />
          </span>
        ),
        onPhone: true,
      },
      {
        key: 'profile',
        label: t('profile'),
        cell: row => (row.special_profile ? t('own') : (row.profile?.name ?? '–')),
        from: 'md',
      },
      {
        key: 'until',
        label: t('until'),
        sort: { by: 'until', first: 'asc' },
        nowrap: true,
        cell: row => (row.session_end_at ? formatDateTime(row.session_end_at) : '–'),
      },
      { key: 'seen', label: t('lastSeen'), nowrap: true, cell: row => <LastSeen visitor={row} />, onPhone: 'labelled' },
      {
        key: 'created',
        label: t('createdAt'),
        sort: { by: 'created', first: 'desc' },
        nowrap: true,
        cell: row => formatDate(row.created_at),
        from: 'xl',
      },
    ],
    [t, show, nameOf],
  );
  const actions = (row: ListedVisitor) => [
    mayEdit && !row.erased_at && list.editAction(row),
    mayEdit &&
      !row.erased_at && {
        label: t('visitor:extend'),
        icon: IconCalendarPlus,
        onClick: () => setOpen({ dialog: 'extend', visitor: row }),
      },
    mayEdit &&
      !row.erased_at &&
      (row.blocked
        ? { label: t('visitor:resume'), icon: IconPlayerPlay, onClick: () => resume.mutate(row.id) }
        : {
            label: t('visitor:pause'),
            icon: IconPlayerPause,
            onClick: () => pause.mutate(row.id),
          }),
    mayEdit &&
      !row.erased_at &&
      row.provider_type === 'username' && {
        label: t('printCard'),
        icon: IconPrinter,
        onClick: () => setOpen({ dialog: 'print', visitor: row }),
      },
    can('delete-clients') && list.deleteAction(row),
  ];

  return (
    <>
      <PageHeader
        title={t('title')}
        count={visitors.data?.meta.total}
        maxCount={search.search ? 1000 : undefined}
        more={more}
      >
        {add}
      </PageHeader>
      <FilterBar
        search={{ key: 'search', placeholder: t('search') }}
        filters={[
          {
            key: 'status',
            label: t('status'),
            kind: 'options',
            options: visitorStates.map(value => ({ value, label: t(`state.${value}`) })),
          },
          {
            key: 'providers',
            label: t('method'),
            kind: 'options',
            startsFull: true,
            options: providers.map(slug => ({ value: slug, label: t(`provider.${slug}`) })),
          },
        ]}
      >
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={visitors}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={show}
        sorting={sorting}
        selection={selection}
        layout={layout}
        rowActions={(mayEdit || can('delete-clients')) && actions}
        filtered={['search', 'providers', 'status']}
        empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(visitor, close) => <VisitorDialog id={visitor?.id} onClose={close} />}
        deletion={{ mutation: remove }}
      />
      {selection.rows.size > 0 && (
        <SelectedVisitors
          selection={selection}
          matching={matchingOf(visitors, most => loadVisitors(search, sorting, most))}
        />
      )}
      {many === 'bulk' && <BulkDialog onClose={() => setMany(undefined)} />}
      {many === 'import' && <ImportDialog onClose={() => setMany(undefined)} />}
      {open?.dialog === 'print' && <CardDialog id={open.visitor.id} onClose={close} />}
      {open?.dialog === 'extend' && <ExtendVisitor visitor={open.visitor} onClose={close} />}
    </>
  );
}

function LastSeen({ visitor }: { visitor: ListedVisitor }) {
  const { t } = useTranslation('visitors');
  if (visitor.devices_online) return <StatusDot tone="good">{t('online')}</StatusDot>;
  return visitor.last_seen_on ? formatDay(visitor.last_seen_on) : t('never');
}

/** At most three lines, so that long values do not make high rows. */
const Short = ({ text }: { text: string }) => (
  <span className={classes.short} title={text}>
    {text.includes('@') ? <EmailText email={text} /> : text}
  </span>
);
