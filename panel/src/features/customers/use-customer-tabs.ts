import { useTranslation } from 'react-i18next';

/** The tabs of the two customer screens: list and overview. */
export function useCustomerTabs() {
  const { t } = useTranslation('customers');
  return [
    { to: '/admin', label: t('tabs.list') },
    { to: '/admin/overview', label: t('tabs.overview') },
  ];
}
