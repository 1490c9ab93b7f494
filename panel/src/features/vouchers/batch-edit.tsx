import { Switch, Textarea, TextInput } from '@mantine/core';
import { type VoucherBatch, voucherBatchUpdate } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { refresh } from '#features/vouchers/vouchers.api.ts';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** The name and the note of a batch, and whether the desk hands it out. */
export function BatchEdit({ batch, onClose }: { batch: VoucherBatch; onClose: () => void }) {
  const { t } = useTranslation('vouchers');
  const { id, name, note, at_desk } = batch;
  const save = useChange({
    send: (body: Partial<Pick<VoucherBatch, 'name' | 'note' | 'at_desk'>>) =>
      call(api.vouchers.update, { params: { id }, body }),
    refresh,
    done: t('updated'),
  });
  const form = useContractForm({
    schema: async () => voucherBatchUpdate,
    initial: { name, note, at_desk },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormModal title={t('edit')} form={form} pending={save.isPending} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus autoComplete="off" {...getInputProps('name')} />
      <Textarea label={t('note')} autosize minRows={2} {...getInputProps('note')} />
      <Switch label={t('atDesk')} description={t('atDeskHelp')} {...getInputProps('at_desk', { type: 'checkbox' })} />
    </FormModal>
  );
}
