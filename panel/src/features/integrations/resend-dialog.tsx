import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useResendFailed } from '#features/integrations/integrations.api.ts';
import { Confirm } from '#ui/confirm.tsx';

/** Hours back. Deliveries are kept for 14 days. */
const periods = ['1', '24', '336'] as const;

/** Sends the failed deliveries of a period again. */
export function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation(['integrations', 'common']);
  const [hours, choose] = useState('24');
  const resend = useResendFailed(id);
  return (
    <Confirm
      opened
      title={t('deliveries.resendTitle')}
      text={
        <>
          <p>{t('deliveries.resendText')}</p>
          <NativeSelect
            label={t('deliveries.period')}
            data={periods.map(it => ({ value: it, label: t(`deliveries.periods.${it}`) }))}
            value={hours}
            onChange={event => choose(event.currentTarget.value)}
          />
        </>
      }
      confirm={t('deliveries.resendFailed')}
      cancel={t('common:back')}
      pending={resend.isPending}
      onConfirm={() => resend.mutate(Number(hours), { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
