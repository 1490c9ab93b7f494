import { Button } from '@mantine/core';
import type { Brand } from '@portico/contract/devices.ts';
import { useTranslation } from 'react-i18next';
import { BrandChoice } from '#features/devices/public.ts';
import classes from '#features/onboarding/onboarding.module.css';

interface Props {
  brands: readonly Brand[];
  chosen: Brand | undefined;
  onChoose: (brand: Brand) => void;
  onNext: () => void;
}

export function BrandStep({ brands, chosen, onChoose, onNext }: Props) {
  const { t } = useTranslation('onboarding');
  const choose = (id: string) => {
    const brand = brands.find(each => each.id === id);
    if (brand) onChoose(brand);
  };
  return (
    <form
      className={classes.narrow}
      onSubmit={event => {
        event.preventDefault();
        if (chosen) onNext();
      }}
    >
      <BrandChoice brands={brands} value={chosen?.id} onChange={choose} />
      <div className={classes.foot}>
        <Button type="submit" disabled={!chosen}>
          {t('continue')}
        </Button>
      </div>
    </form>
  );
}
