import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#ui/page-header.tsx';

/** The header and the tabs of the three lists. */
export function MenuHeader({ children }: { children: ReactNode }) {
  const { t } = useTranslation('qr-menu');
  const tabs = [
    { to: '/qrmenu/categories', label: t('categories') },
    { to: '/qrmenu/products', label: t('products') },
    { to: '/qrmenu/desks', label: t('menus') },
  ];
  return (
    <PageHeader title={t('title')} description={t('help')} tabs={tabs}>
      {children}
    </PageHeader>
  );
}
