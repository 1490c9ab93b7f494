import type { Voucher, VoucherBatch } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { useRevoke } from '#features/vouchers/vouchers.api.ts';
import { Confirm } from '#ui/confirm.tsx';

interface Props {
  batch: VoucherBatch;
  /** Null: all vouchers of the batch. */
  voucher: Voucher | null;
  onClose: () => void;
}

/** The question before vouchers are revoked. */
export function RevokeDialog({ batch, voucher, onClose }: Props) {
  const { t } = useTranslation(['vouchers', 'common']);
  const revoke = useRevoke(batch.id);
  return (
    <Confirm
      opened
      title={voucher ? t('revokeOne', { number: voucher.number }) : t('revokeTitle', { name: batch.name })}
      text={t('revokeText')}
      confirm={t('revoke')}
      cancel={t('common:cancel')}
      danger
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate(voucher && [voucher.id], { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
