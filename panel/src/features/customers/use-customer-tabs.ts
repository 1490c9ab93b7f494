import { useTranslation } from 'react-i18next';

/** The two screens about customers: one by one, and all of them together. */
export function useCustomerTabs() {
  const { t } = useTranslation('customers');
  return [
    { to: '/admin', label: t('tabs.list') },
    { to: '/admin/overview', label: t('tabs.overview') },
  ];
}
