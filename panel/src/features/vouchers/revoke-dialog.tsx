import type { Voucher, VoucherBatch } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { useRevoke } from '#features/vouchers/vouchers.api.ts';
import { Confirm } from '#ui/confirm.tsx';

interface Props {
  batch: VoucherBatch;
  /** Null: all vouchers of the batch. */
  vouchers: readonly Voucher[] | null;
  onDone?: (() => void) | undefined;
  onClose: () => void;
}

/** The question before vouchers are revoked. */
export function RevokeDialog({ batch, vouchers, onDone, onClose }: Props) {
  const { t } = useTranslation(['vouchers', 'common']);
  const revoke = useRevoke(batch.id);
  const titleOf = () => {
    if (!vouchers) return t('revokeTitle', { name: batch.name });
    const [only, ...more] = vouchers;
    return only && !more.length
      ? t('revokeOne', { number: only.number })
      : t('revokeSelected', { count: vouchers.length });
  };
  return (
    <Confirm
      opened
      title={titleOf()}
      text={vouchers || !batch.at_desk ? t('revokeText') : `${t('revokeText')} ${t('revokeDesk')}`}
      confirm={t('revoke')}
      cancel={t('common:cancel')}
      danger
      pending={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(vouchers && vouchers.map(it => it.id), {
          onSuccess: () => {
            onDone?.();
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
