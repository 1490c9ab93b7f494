import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format.ts';

/** The title of both tabs: with the total in brackets. */
export function useCustomersTitle(total: number | undefined): string {
  const { t } = useTranslation('customers');
  return total === undefined ? t('title') : t('titleTotal', { total: formatCount(total) });
}
