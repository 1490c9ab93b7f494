import { useTranslation } from 'react-i18next';

/** The reason of a reversal. The product itself writes those of refunds that the payment provider reports. */
export function useSaleReason(): (reason: string) => string {
  const { t } = useTranslation();
  return reason => (reason === 'refund' || reason === 'chargeback' ? t(`saleReason.${reason}`) : reason);
}
