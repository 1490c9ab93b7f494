import { extendBatchForm, type VoucherBatch } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { refresh } from '#features/vouchers/vouchers.api.ts';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** More days for guests with a running voucher. */
export function BatchExtend({ batch, onClose }: { batch: VoucherBatch; onClose: () => void }) {
  const { t } = useTranslation('vouchers');
  const save = useChange({
    send: (body: { days: number }) => call(api.vouchers.extend, { params: { id: batch.id }, body }),
    refresh,
    done: t('extended'),
  });
  const form = useContractForm<typeof extendBatchForm, { days: number | string }>({
    schema: async () => extendBatchForm,
    initial: { days: 1 },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  return (
    <FormModal
      title={t('extendTitle', { name: batch.name })}
      form={form}
      size={440}
      submitLabel={t('extend')}
      pending={save.isPending}
      onClose={onClose}
    >
      <p>{t(batch.valid_until ? 'extendHelpDay' : 'extendHelp')}</p>
      <NumberField label={t('days')} withAsterisk data-autofocus {...form.form.getInputProps('days')} />
    </FormModal>
  );
}
