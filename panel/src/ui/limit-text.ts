import type { LimitUnit } from '@portico/contract/fields.ts';
import { currencies } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import { formatMoney } from '#lib/format.ts';

export interface Limit<Unit extends LimitUnit = LimitUnit> {
  is_active: boolean;
  option: Unit;
  value: number;
}

type Currency = (typeof currencies)[number];
const isCurrency = (unit: LimitUnit): unit is Currency => (currencies as readonly LimitUnit[]).includes(unit);

/** A value with its unit as text: `20 Mbit/s`. A price looks as on every other screen. */
export function useAmountText(): (value: number, unit: LimitUnit) => string {
  const { t } = useTranslation('limit');
  return (value, unit) => (isCurrency(unit) ? formatMoney(value, unit) : t(`amount.${unit}`, { count: value }));
}

/** A limit as text, or the text for no limit. */
export function useLimitText(): (limit: Limit, off?: string) => string {
  const { t } = useTranslation('limit');
  const amountText = useAmountText();
  return ({ is_active, option, value }, off = t('unlimited')) => (is_active ? amountText(value, option) : off);
}
