import { Textarea } from '@mantine/core';
import { type Purchase, refundForm } from '@portico/contract/purchases.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { formatMinor } from '#features/packages/packages.api.ts';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Pays a purchase back, with a reason. */
export function RefundForm({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { t } = useTranslation('packages');
  const send = (body: z.input<typeof refundForm>) => call(api.purchases.refund, { params: { id: purchase.id }, body });
  const refresh = [
    api.purchases.list,
    api.purchases.totals,
    api.sales.list,
    api.packages.list,
    api.vouchers.desk,
    api.visitors.get,
    api.visitorPage.sales,
  ];
  const refund = useChange({
    send,
    refresh,
    done: ({ data }) => (data.state === 'refunded' ? t('refundDone') : t('refundWaits')),
  });
  const form = useContractForm({
    schema: async () => refundForm,
    initial: { reason: '' },
    submit: async values => {
      await refund.mutateAsync(values);
      onClose();
    },
  });
  return (
    <FormModal
      title={t('refundTitle', { amount: formatMinor(purchase.amount - purchase.returned, purchase.currency) })}
      form={form}
      submitLabel={t('refund')}
      pending={refund.isPending}
      size={440}
      onClose={onClose}
    >
      <p>{t('refundText')}</p>
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
