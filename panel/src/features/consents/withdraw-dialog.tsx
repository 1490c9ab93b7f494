import type { MarketingConsent } from '@portico/contract/consents.ts';
import { useTranslation } from 'react-i18next';
import { useWithdraw } from '#features/consents/consents.api.ts';
import { Confirm } from '#ui/confirm.tsx';

/** The question before a consent is withdrawn for a guest. */
export function WithdrawDialog({ consent, onClose }: { consent: MarketingConsent; onClose: () => void }) {
  const { t } = useTranslation(['consents', 'common']);
  const withdraw = useWithdraw();
  return (
    <Confirm
      opened
      title={t('withdrawTitle', { name: consent.recipient })}
      text={t('withdrawText', { channel: t(`channels.${consent.channel}`) })}
      confirm={t('withdraw')}
      cancel={t('common:cancel')}
      danger
      pending={withdraw.isPending}
      onConfirm={() => withdraw.mutate(consent.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
