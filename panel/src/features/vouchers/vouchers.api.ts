import type { voucherBatchForm } from '@portico/contract/vouchers.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

/** Queries of screens that show vouchers. */
export const refresh = [api.vouchers.list, api.vouchers.get, api.vouchers.vouchers, api.vouchers.desk];

export function useCreateBatch() {
  const { t } = useTranslation('vouchers');
  const send = (body: z.input<typeof voucherBatchForm>) => call(api.vouchers.create, { body });
  return useChange({ send, refresh, done: t('created') });
}

/** The codes of a batch, or of some of its vouchers. Never cached. */
export const useCards = (batchId: string) =>
  useMutation({
    mutationFn: (ids?: readonly string[]) =>
      call(api.vouchers.cards, { params: { id: batchId }, body: ids ? { voucher_ids: [...ids] } : {} }),
  });

export function useRevoke(batchId: string) {
  const { t } = useTranslation('vouchers');
  const send = (ids: readonly string[] | null) =>
    call(api.vouchers.revoke, { params: { id: batchId }, body: ids ? { voucher_ids: [...ids] } : { all: true } });
  return useChange({ send, refresh, done: t('revoked') });
}
