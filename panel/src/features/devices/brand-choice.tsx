import type { Brand } from '@portico/contract/devices.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import classes from '#features/devices/devices.module.css';

interface Props {
  brands: readonly Brand[];
  value: string | undefined;
  onChange: (id: string) => void;
  error?: ReactNode;
}

export function BrandChoice({ brands, value, onChange, error }: Props) {
  const { t } = useTranslation('devices');
  return (
    <div>
      <fieldset className={classes.brands} role="radiogroup" aria-invalid={error ? true : undefined}>
        <legend className="mantine-InputWrapper-label">{t('brand')}</legend>
        {brands.map((brand, i) => (
          <label key={brand.id}>
            <input
              type="radio"
              name="brand"
              value={brand.id}
              checked={brand.id === value}
              onChange={() => onChange(brand.id)}
              data-autofocus={i === 0 || undefined}
            />
            <BrandLogo brand={brand} size={36} />
            {brand.name}
          </label>
        ))}
      </fieldset>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
