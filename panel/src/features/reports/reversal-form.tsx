import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useReverseSale } from '#features/reports/reports.api.ts';
import type { SaleRow } from '#features/reports/sales-list.tsx';
import { formatMoney } from '#lib/format.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Reverses a sale or some of its days, with a reason. */
export function ReversalForm({ sale, onClose }: { sale: SaleRow; onClose: () => void }) {
  const { t } = useTranslation('reports');
  const left = sale.days - sale.reversed_days;
  const reverse = useReverseSale(sale.id);
  const form = useContractForm({
    schema: async () => (await import('@portico/contract/sales.ts')).reversalForm,
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
      <NumberField
        label={t('days')}
        description={formatMoney(-(Number(values.days) || 0) * sale.unit_price, sale.currency)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
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
