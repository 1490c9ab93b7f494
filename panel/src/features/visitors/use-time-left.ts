import { timeParts } from '@portico/contract/time-parts.ts';
import { useTranslation } from 'react-i18next';

/** Writes the remaining time as the guest's own page does. */
export function useTimeLeft(): (seconds: number) => string {
  const { t } = useTranslation('limit');
  return seconds => {
    const parts = timeParts(seconds).map(({ unit, count }) => t(`amount.${unit}`, { count }));
    return parts.join(' ') || t('amount.second', { count: 0 });
  };
}
