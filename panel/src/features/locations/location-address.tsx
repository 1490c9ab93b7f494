import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import layout from '#ui/form-layout.module.css';
import type { Form } from '#ui/use-contract-form.ts';

/** Country, city and district, for both forms of a location. */
export function LocationAddress({
  form,
}: {
  form: Pick<Form<{ country: string; city: string; district: string }>, 'getInputProps'>;
}) {
  const { t } = useTranslation('locations');
  return (
    <div className={layout.three}>
      <TextInput label={t('country')} autoComplete="country-name" {...form.getInputProps('country')} />
      <TextInput label={t('city')} autoComplete="address-level1" {...form.getInputProps('city')} />
      <TextInput label={t('district')} autoComplete="address-level2" {...form.getInputProps('district')} />
    </div>
  );
}
