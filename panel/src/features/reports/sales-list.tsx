import { NumberInput, Textarea } from '@mantine/core';
import { reversalForm, type Sale } from '@portico/contract/sales.ts';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReverseSale } from '#features/reports/reports.api.ts';
import { formatDateTime, formatMoney, formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import { Tag } from '#ui/tag.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** A sale in the report, or one of a visitor, which does not name the visitor. */
export type SaleRow = Omit<Sale, 'visitor' | 'location'> & { visitor?: Sale['visitor'] };

interface Props {
  query: ComponentProps<typeof DataTable<SaleRow>>['query'];
  /** Without a column for the visitor. */
  ofOne?: boolean;
}

/** Sales and their reversals. A sale can be taken back, wholly or in part. */
export function SalesList({ query, ofOne = false }: Props) {
  const { t } = useTranslation('reports');
  const mayReverse = useCan()('update-clients');
  const [reversed, setReversed] = useState<SaleRow>();
  const columns: Column<SaleRow>[] = [
    { key: 'at', label: t('soldAt'), nowrap: true, cell: row => formatDateTime(row.sold_at) },
    ...(ofOne
      ? []
      : [{ key: 'visitor', label: t('guest'), cell: (row: SaleRow) => row.visitor?.name || t('erased') } as const]),
    { key: 'profile', label: t('profile'), cell: row => row.profile?.name ?? '–', from: 'md' },
    { key: 'days', label: t('days'), cell: row => formatNumber(row.days), numeric: true },
    {
      key: 'price',
      label: t('dayPrice'),
      cell: row => formatMoney(row.unit_price, row.currency),
      numeric: true,
      from: 'md',
    },
    { key: 'total', label: t('amount'), cell: row => formatMoney(row.total, row.currency), numeric: true },
    {
      key: 'note',
      label: t('note'),
      cell: row =>
        row.reverses ? (
          <>
            <Tag tone="warn">{t('reversal')}</Tag> {row.reason}
          </>
        ) : (
          row.reversed_days > 0 && t('takenBack', { count: row.reversed_days })
        ),
    },
  ];
  const actionsOf = (row: SaleRow): RowAction[] =>
    row.reversed_days < row.days
      ? [{ label: t('reverse'), icon: IconArrowBackUp, danger: true, onClick: () => setReversed(row) }]
      : [];
  return (
    <>
      <DataTable
        label={t('salesList')}
        query={query}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => formatDateTime(row.sold_at)}
        rowActions={mayReverse ? actionsOf : undefined}
        empty={<EmptyState drawing="page" title={t('noSalesTitle')} text={t('noSales')} />}
      />
      {reversed && <ReversalForm sale={reversed} onClose={() => setReversed(undefined)} />}
    </>
  );
}

function ReversalForm({ sale, onClose }: { sale: SaleRow; onClose: () => void }) {
  const { t } = useTranslation('reports');
  const left = sale.days - sale.reversed_days;
  const reverse = useReverseSale(sale.id);
  const form = useContractForm({
    schema: async () => reversalForm,
    initial: { days: left as number | string, reason: '' },
    toInput: ({ days, reason }) => ({ days: days === '' ? null : days, reason }),
    submit: async values => {
      await reverse.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  return (
    <FormModal
      title={t('reverseTitle')}
      form={form}
      submitLabel={t('reverse')}
      pending={reverse.isPending}
      size={440}
      onClose={onClose}
    >
      <p>{t('reverseText')}</p>
      <NumberInput
        label={t('days')}
        description={formatMoney(-Number(values.days || 0) * sale.unit_price, sale.currency)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        min={1}
        max={left}
        allowDecimal={false}
        {...getInputProps('days')}
      />
      <Textarea
        label={t('reason')}
        withAsterisk
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...getInputProps('reason')}
      />
    </FormModal>
  );
}
