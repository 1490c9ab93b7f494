import { useTranslation } from 'react-i18next';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes time that is left, in two units like on the guest’s own page. */
export function useTimeLeft(): (seconds: number) => string {
  const { t } = useTranslation('limit');
  const days = (count: number) => t('amount.day', { count });
  const hours = (count: number) => t('amount.hour', { count });
  const minutes = (count: number) => t('amount.minute', { count });
  const two = (first: string, rest: number, second: (count: number) => string) =>
    rest > 0 ? `${first} ${second(rest)}` : first;
  return seconds =>
    seconds >= day
      ? two(days(Math.floor(seconds / day)), Math.floor((seconds % day) / hour), hours)
      : seconds >= hour
        ? two(hours(Math.floor(seconds / hour)), Math.floor((seconds % hour) / minute), minutes)
        : minutes(Math.ceil(seconds / minute));
}
