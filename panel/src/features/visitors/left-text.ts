import { useTranslation } from 'react-i18next';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Writes time that is left in two units, with seconds in the last ten minutes: as the guest’s own page does. */
export function useTimeLeft(): (seconds: number) => string {
  const { t } = useTranslation('limit');
  return seconds => {
    let rest = seconds;
    const parts: string[] = [];
    for (const [unit, size] of units) {
      if (unit === 'second' && seconds >= 600) break;
      const count = Math.floor(rest / size);
      rest -= count * size;
      if (count > 0) parts.push(t(`amount.${unit}`, { count }));
      else if (parts.length > 0) break;
      if (parts.length === 2) break;
    }
    return parts.join(' ') || t('amount.second', { count: 0 });
  };
}
