import type { VoucherBatch } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { formatDay, formatMoney } from '#lib/format.ts';
import { useLimitText } from '#ui/limit-text.ts';

type Terms = Pick<VoucherBatch, 'valid_for' | 'valid_until'>;

/** How long vouchers are valid, in one line. */
export function useValidity(): (terms: Terms) => string {
  const { t } = useTranslation(['vouchers', 'limit']);
  const limitText = useLimitText();
  return ({ valid_for, valid_until }) =>
    [
      valid_for.is_active && t('fromFirstUse', { time: limitText(valid_for) }),
      valid_until && t('untilDay', { day: formatDay(valid_until) }),
    ]
      .filter(Boolean)
      .join(', ');
}

/** An amount in minor units as money. */
export const formatMinor = (amount: number, currency: string): string => formatMoney(amount / 100, currency);

/** The price of a voucher; free ones cost nothing. */
export function usePrice(): (it: Pick<VoucherBatch, 'price' | 'currency'>) => string {
  const { t } = useTranslation('vouchers');
  return ({ price, currency }) => (price ? formatMinor(price, currency) : t('free'));
}
