import type { Brand } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';

interface Props {
  brands: readonly Brand[];
  value: string | undefined;
  onChange: (id: string) => void;
}

export function BrandChoice({ brands, value, onChange }: Props) {
  const { t } = useTranslation('devices');
  const choices = brands.map(brand => ({
    value: brand.id,
    body: (
      <>
        <BrandLogo brand={brand} size={36} />
        {brand.name}
      </>
    ),
  }));
  return <ChoiceCards legend={t('brand')} name="brand" choices={choices} value={value} onChange={onChange} first />;
}
