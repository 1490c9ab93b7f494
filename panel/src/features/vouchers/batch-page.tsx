import { Button } from '@mantine/core';
import type { Voucher, VoucherBatch } from '@portico/contract/vouchers.ts';
import { IconBan, IconCalendarPlus, IconPencil, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMinor, usePrice, useValidity } from '#features/vouchers/voucher-terms.ts';
import { useCards } from '#features/vouchers/vouchers.api.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { formatDateTime, formatNumber } from '#lib/format.ts';
import { useHashAction } from '#lib/hash-action.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { pagingOf, useListSearch } from '#lib/search.ts';
import { toastError } from '#lib/toast.ts';
import { useList } from '#lib/use-list.ts';
import { useLive } from '#lib/use-live.ts';
import { Card } from '#ui/card.tsx';
import { useChooseEvery } from '#ui/choose-every.tsx';
import type { Column } from '#ui/data-table.tsx';
import { Facts } from '#ui/facts.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { matchingOf, type Selection, useSelection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const BatchEdit = lazyPart(() => import('#features/vouchers/batch-edit.tsx'), 'BatchEdit');
const BatchExtend = lazyPart(() => import('#features/vouchers/batch-extend.tsx'), 'BatchExtend');
const PrintVouchers = lazyPart(() => import('#features/vouchers/print-vouchers.tsx'), 'PrintVouchers');
const RevokeDialog = lazyPart(() => import('#features/vouchers/revoke-dialog.tsx'), 'RevokeDialog');

/** That are printed or revoked in one request. */
const mostAtOnce = 1000;

const states = ['unused', 'active', 'over', 'revoked'] as const satisfies readonly Voucher['state'][];
const tones: Record<Voucher['state'], Tone> = { unused: 'idle', active: 'good', over: 'warn', revoked: 'bad' };

export function BatchPage() {
  const { t } = useTranslation(['vouchers', 'common']);
  const { batchId } = useParams({ from: '/shell/vouchers/$batchId' });
  const query = useQuery(queryOf(api.vouchers.get, { params: { id: batchId } }));
  useLive('vouchers', api.vouchers.get, api.vouchers.vouchers);
  const parent = { to: '/vouchers', label: t('title') };
  if (query.error && !query.data)
    return <LoadError error={query.error} onRetry={() => void query.refetch()} parent={parent} />;
  if (!query.data)
    return (
      <>
        <PageHeader title="…" parent={parent} />
        <FormSkeleton fields={4} />
      </>
    );
  return <Loaded batch={query.data.data} parent={parent} />;
}

type Open = 'edit' | 'extend' | { revoke: readonly Voucher[] | null };

function Loaded({ batch, parent }: { batch: VoucherBatch; parent: { to: string; label: string } }) {
  const { t } = useTranslation(['vouchers', 'common']);
  const can = useCan();
  const validity = useValidity();
  const price = usePrice();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const cards = useCards(batch.id);
  const selection = useSelection((it: Voucher) => it.id);
  const mayPrint = can('store-vouchers');
  useHashAction('print', () => {
    if (!mayPrint) return;
    if (batch.left > 0) cards.mutate(undefined);
    else toastError(t('noneToPrint'));
  });
  const mayChange = can('update-vouchers');
  return (
    <>
      <PageHeader
        title={batch.name}
        description={validity(batch)}
        parent={parent}
        more={
          mayChange
            ? [
                { label: t('common:edit'), icon: IconPencil, onClick: () => setOpen('edit') },
                { label: t('extend'), icon: IconCalendarPlus, onClick: () => setOpen('extend') },
                {
                  label: t('revokeAll'),
                  icon: IconBan,
                  onClick: () => setOpen({ revoke: null }),
                  disabled: batch.revoked === batch.total,
                },
              ]
            : []
        }
      >
        {mayPrint && (
          <Button
            leftSection={<IconPrinter size={16} />}
            loading={cards.isPending}
            disabled={!batch.left}
            onClick={() => cards.mutate(undefined)}
          >
            {t('printLeft', { count: Math.min(batch.left, mostAtOnce) })}
          </Button>
        )}
      </PageHeader>
      <Card>
        <Facts
          facts={[
            {
              label: t('left'),
              value: t('ofTotal', { left: formatNumber(batch.left), total: formatNumber(batch.total) }),
            },
            { label: t('used'), value: formatNumber(batch.used) },
            { label: t('revokedCount'), value: formatNumber(batch.revoked) },
            { label: t('revenue'), value: formatMinor(batch.revenue, batch.currency) },
            { label: t('price'), value: price(batch) },
            { label: t('profile'), value: batch.profile?.name ?? t('locationProfile') },
            { label: t('devices'), value: formatNumber(batch.shared_user) },
            { label: t('location'), value: batch.location.name },
            ...(batch.note ? [{ label: t('note'), value: batch.note }] : []),
          ]}
        />
      </Card>
      <Vouchers
        batch={batch}
        selection={selection}
        printing={cards.isPending}
        onPrint={mayPrint ? some => cards.mutate(some.map(it => it.id)) : undefined}
        onRevoke={mayChange ? some => setOpen({ revoke: some }) : undefined}
      />
      {open === 'edit' && <BatchEdit batch={batch} onClose={close} />}
      {open === 'extend' && <BatchExtend batch={batch} onClose={close} />}
      {typeof open === 'object' && (
        <RevokeDialog batch={batch} vouchers={open.revoke} onDone={selection.clear} onClose={close} />
      )}
      {cards.data && (
        <PrintVouchers cards={cards.data.data} batch={batch} settings={cards.data.card} onClose={() => cards.reset()} />
      )}
    </>
  );
}

interface VouchersProps {
  batch: VoucherBatch;
  selection: Selection<Voucher>;
  printing: boolean;
  onPrint: ((vouchers: readonly Voucher[]) => void) | undefined;
  onRevoke: ((vouchers: readonly Voucher[]) => void) | undefined;
}

function Vouchers({ batch, selection, printing, onPrint, onRevoke }: VouchersProps) {
  const { t } = useTranslation('vouchers');
  const can = useCan();
  const [search] = useListSearch();
  const layout = useTableLayout('batch-vouchers');
  const state = states.find(it => it === search['state']);
  const params = { id: batch.id };
  const filter = { search: search.search, state };
  const vouchers = useList(
    queryOf(api.vouchers.vouchers, { params, query: { ...pagingOf(search, 25, 200), ...filter } }),
  );
  const every = useChooseEvery(
    selection,
    matchingOf(vouchers, most => call(api.vouchers.vouchers, { params, query: { ...filter, per_page: most } })),
    mostAtOnce,
  );
  const zone = batch.location.time_zone;
  const time = (at: string | null) => (at ? formatDateTime(at, zone) : '–');
  const columns: Column<Voucher>[] = [
    { key: 'number', label: t('number'), cell: row => formatNumber(row.number), numeric: true },
    {
      key: 'code',
      label: t('code'),
      cell: row => <code>{row.code ?? '•••••-•••••'}</code>,
      nowrap: true,
      onPhone: true,
    },
    {
      key: 'state',
      label: t('state'),
      cell: row => <StatusDot tone={tones[row.state]}>{t(`states.${row.state}`)}</StatusDot>,
      onPhone: true,
    },
    {
      key: 'used',
      label: t('usedAt'),
      nowrap: true,
      cell: row =>
        row.visitor_id && can('view-clients') ? (
          <Link to="/visitors/$visitorId" params={{ visitorId: row.visitor_id }}>
            {time(row.used_at)}
          </Link>
        ) : (
          time(row.used_at)
        ),
    },
    { key: 'ends', label: t('endsAt'), nowrap: true, cell: row => time(row.ends_at), from: 'md' },
  ];
  const actions = (row: Voucher) => [
    onPrint && row.state !== 'revoked' && { label: t('print'), icon: IconPrinter, onClick: () => onPrint([row]) },
    onRevoke &&
      row.state !== 'revoked' && { label: t('revoke'), icon: IconBan, danger: true, onClick: () => onRevoke([row]) },
  ];
  // Vouchers that are revoked can be neither printed nor revoked.
  const chosen = [...selection.rows.values()].filter(it => it.state !== 'revoked');
  return (
    <>
      <FilterBar
        search={{ key: 'search', placeholder: t('searchCode') }}
        filters={[
          {
            key: 'state',
            label: t('state'),
            kind: 'options',
            single: true,
            options: states.map(it => ({ value: it, label: t(`states.${it}`) })),
          },
        ]}
      >
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        label={t('title')}
        query={vouchers}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => t('numbered', { number: row.number })}
        selection={onPrint || onRevoke ? selection : undefined}
        rowActions={(onPrint || onRevoke) && actions}
        filtered={['search', 'state']}
        empty={{ drawing: 'people', title: t('noVouchers'), text: t('noVouchersText') }}
      />
      {selection.rows.size > 0 && (
        <SelectionBar count={selection.rows.size} onClear={selection.clear} every={every}>
          {onPrint && chosen.length > 0 && (
            <SelectionAction icon={IconPrinter} label={t('print')} pending={printing} onClick={() => onPrint(chosen)} />
          )}
          {onRevoke && chosen.length > 0 && (
            <SelectionAction icon={IconBan} label={t('revoke')} onClick={() => onRevoke(chosen)} />
          )}
        </SelectionBar>
      )}
    </>
  );
}
