import { Textarea } from '@mantine/core';
import { type LicencePayment, licenceRefundForm } from '@portico/contract/licence-payments.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { formatMoney } from '#lib/format.ts';
import { useChange } from '#lib/queries.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Pays a licence back, with a reason. */
export function LicenceRefundForm({ payment, onClose }: { payment: LicencePayment; onClose: () => void }) {
  const { t } = useTranslation('licences');
  const refund = useChange({
    send: (body: z.input<typeof licenceRefundForm>) =>
      call(api.licencePayments.refund, { params: { id: payment.id }, body }),
    refresh: [api.licencePayments.list, api.locations.list, api.locations.get],
    done: ({ data }) => (data.state === 'refunded' ? t('refundDone') : t('refundWaits')),
  });
  const form = useContractForm({
    schema: async () => licenceRefundForm,
    initial: { reason: '' },
    submit: async values => {
      await refund.mutateAsync(values);
      onClose();
    },
  });
  return (
    <FormModal
      title={t('refundTitle', { amount: formatMoney(payment.amount / 100, payment.currency) })}
      form={form}
      submitLabel={t('refund')}
      pending={refund.isPending}
      size={440}
      onClose={onClose}
    >
      <p>{t('refundText', { location: payment.location.name })}</p>
      <Textarea
        label={t('reason')}
        withAsterisk
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...form.form.getInputProps('reason')}
      />
    </FormModal>
  );
}
