import type { LimitUnit } from '@portico/contract/fields.ts';
import { useTranslation } from 'react-i18next';

export interface Limit<Unit extends LimitUnit = LimitUnit> {
  is_active: boolean;
  option: Unit;
  value: number;
}

/** A limit as text: `20 Mbit/s`, or the text for no limit. */
export function useLimitText(): (limit: Limit, off?: string) => string {
  const { t } = useTranslation('limit');
  return ({ is_active, option, value }, off = t('unlimited')) =>
    is_active ? t(`amount.${option}`, { count: value }) : off;
}
