import { documentedOn } from '@portico/contract/device-kinds.ts';
import type { Brand } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';
import { useTenant } from '#lib/tenant.ts';
import { Notice } from '#ui/notice.tsx';

/** Says that a brand was never tried on a real gateway. Hidden for the others. */
export function UntriedNote({ brand }: { brand: Pick<Brand, 'name' | 'slug'> }) {
  const { t } = useTranslation('devices');
  const provider = useTenant().brand.name;
  const date = documentedOn(brand.slug);
  if (!date) return null;
  return (
    <Notice tone="info" title={t('untried.title')}>
      {t('untried.text', { brand: brand.name, date: formatDate(date), provider })}
    </Notice>
  );
}
