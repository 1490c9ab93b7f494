import type { SoldPackage } from '@portico/contract/packages.ts';
import { useTranslation } from 'react-i18next';
import { formatMoney } from '#lib/format.ts';
import { language } from '#lib/language.ts';
import { useCan } from '#lib/permissions.ts';

/** The tabs of paid access that the user may open. */
export function usePaidTabs(): { to: string; label: string }[] {
  const { t } = useTranslation('packages');
  const can = useCan();
  return [
    ...(can('read-profiles') ? [{ to: '/packages', label: t('title') }] : []),
    ...(can('view-clients') ? [{ to: '/packages/purchases', label: t('purchases') }] : []),
  ];
}

/** An amount in minor units as money. */
export const formatMinor = (amount: number, currency: string): string => formatMoney(amount / 100, currency);

/** The name of a package in the language of the panel, else in the first that it has. */
export const nameOf = ({ name }: Pick<SoldPackage, 'name'>): string =>
  name[language()] || Object.values(name).find(Boolean) || '–';
