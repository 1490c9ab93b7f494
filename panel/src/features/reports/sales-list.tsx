import type { Sale } from '@portico/contract/sales.ts';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatMoney, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useSaleReason } from '#lib/sale-reason.ts';
import { useUser } from '#lib/user.ts';
import type { Column, DataTable } from '#ui/data-table.tsx';
import { ListTable } from '#ui/list-page.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import type { TableLayout } from '#ui/table-layout.ts';
import { Tag } from '#ui/tag.tsx';

const ReversalForm = lazyPart(() => import('#features/reports/reversal-form.tsx'), 'ReversalForm');

/** A sale in the report, or one of a visitor, which does not name the visitor. */
export type SaleRow = Omit<Sale, 'visitor' | 'location' | 'item'> &
  Partial<Pick<Sale, 'visitor' | 'location' | 'item'>>;

interface Props {
  query: ComponentProps<typeof DataTable<SaleRow>>['query'];
  /** Without columns for the visitor and the location. */
  ofOne?: boolean;
  layout?: TableLayout;
  /** Stands above the list. */
  bar?: (columns: readonly Column<SaleRow>[]) => ReactNode;
}

/** Sales and reversals. A sale or some of its days can be reversed. */
export function SalesList({ query, ofOne = false, layout, bar }: Props) {
  const { t } = useTranslation('reports');
  const mayReverse = useCan()('update-clients');
  const reason = useSaleReason();
  const seesSeveral = useUser().locations.length > 1;
  const [reversed, setReversed] = useState<SaleRow>();
  const columns: Column<SaleRow>[] = [
    { key: 'at', label: t('soldAt'), nowrap: true, cell: row => formatDateTime(row.sold_at) },
    ...(ofOne
      ? []
      : [
          {
            key: 'visitor',
            label: t('guest'),
            cell: (row: SaleRow) => row.visitor?.name || t('erased'),
            onPhone: true,
          } as const,
        ]),
    ...(ofOne || !seesSeveral
      ? []
      : [{ key: 'location', label: t('location'), cell: (row: SaleRow) => row.location?.name, from: 'lg' } as const]),
    {
      key: 'profile',
      label: t('profile'),
      cell: row =>
        [row.profile?.name, row.kind === 'voucher' && t('voucher'), row.purchase_id && t('boughtOnline'), row.item]
          .filter(Boolean)
          .join(' · ') || '–',
      from: 'md',
    },
    { key: 'days', label: t('days'), cell: row => formatNumber(row.days), numeric: true, onPhone: 'labelled' },
    {
      key: 'price',
      label: t('dayPrice'),
      cell: row => formatMoney(row.unit_price, row.currency),
      numeric: true,
      from: 'md',
    },
    {
      key: 'total',
      label: t('amount'),
      cell: row => formatMoney(row.total, row.currency),
      numeric: true,
      onPhone: true,
    },
    {
      key: 'note',
      label: t('note'),
      onPhone: true,
      cell: row =>
        row.reverses ? (
          <span>
            <Tag tone="warn">{t('reversal')}</Tag> {reason(row.reason)}
          </span>
        ) : (
          <>
            {row.room_charge && (
              <Tag tone={row.room_charge === 'posted' ? 'good' : 'warn'}>{t(`roomCharge.${row.room_charge}`)}</Tag>
            )}{' '}
            {row.reversed_days > 0 && t('takenBack', { count: row.reversed_days })}
          </>
        ),
    },
  ];
  const actionsOf = (row: SaleRow): RowAction[] =>
    row.reversed_days < row.days && !row.purchase_id
      ? [{ label: t('reverse'), icon: IconArrowBackUp, danger: true, onClick: () => setReversed(row) }]
      : [];
  return (
    <>
      {bar?.(columns)}
      <ListTable
        label={t('salesList')}
        query={query}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        rowName={row => formatDateTime(row.sold_at)}
        rowActions={mayReverse && actionsOf}
        filtered={ofOne ? [] : ['days', 'location']}
        empty={{ drawing: 'page', title: t('noSalesTitle'), text: t('noSales') }}
      />
      {reversed && <ReversalForm sale={reversed} onClose={() => setReversed(undefined)} />}
    </>
  );
}
