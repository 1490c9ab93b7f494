import { Autocomplete, MultiSelect, Select, TextInput } from '@mantine/core';
import { providerSlugs } from '@portico/contract/locations.ts';
import { useTranslation } from 'react-i18next';
import { countries, isTurkiye, useTurkishPlaces } from '#features/customers/address-options.ts';
import { useCreateCustomer, useSharedPortals } from '#features/customers/customers.api.ts';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const smsPackages = [100, 500, 1000, 2000, 5000, 10_000] as const;
/** Props of the three address fields, which suggest values but accept any. */
const suggestions = { limit: 100, autoComplete: 'off', comboboxProps: { zIndex: 220 } } as const;

interface Props {
  onCreated: (id: string) => void;
  onClose: () => void;
}

export function CustomerCreate({ onCreated, onClose }: Props) {
  const { t } = useTranslation('customers');
  const portals = useSharedPortals();
  const create = useCreateCustomer();
  const form = useContractForm({
    schema: async () => (await import('#features/customers/customer-schema.ts')).newCustomer,
    initial: {
      name: '',
      country: 'Türkiye',
      city: '',
      district: '',
      available_providers: [] as string[],
      sms_limit: '1000',
      portal_id: null as string | null,
    },
    toInput: ({ sms_limit, ...values }) =>
      values.available_providers.includes('sms') ? { ...values, sms_limit } : values,
    submit: async values => {
      const { data } = await create.mutateAsync(values);
      onClose();
      onCreated(data.id);
    },
  });
  const { values, getInputProps } = form.form;
  const places = useTurkishPlaces(isTurkiye(values.country));
  const cities = places.map(place => place.city);
  const districts = places.find(place => place.city === values.city.trim())?.districts ?? [];
  return (
    <FormModal title={t('add')} form={form} pending={create.isPending} size={580} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
      <div className={layout.three}>
        <Autocomplete label={t('country')} data={countries()} {...suggestions} {...getInputProps('country')} />
        <Autocomplete label={t('city')} data={cities} {...suggestions} {...getInputProps('city')} />
        <Autocomplete label={t('district')} data={districts} {...suggestions} {...getInputProps('district')} />
      </div>
      <MultiSelect
        label={t('providers')}
        description={t('providersHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={values.available_providers.length === 0 ? t('chooseProviders') : ''}
        data={providerSlugs.map(slug => ({ value: slug, label: t(`provider.${slug}`) }))}
        clearable
        {...getInputProps('available_providers')}
      />
      {values.available_providers.includes('sms') && (
        <Select
          label={t('smsLimit')}
          description={t('smsLimitHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={smsPackages.map(count => ({ value: String(count), label: t('smsPackage', { count }) }))}
          allowDeselect={false}
          {...getInputProps('sms_limit')}
        />
      )}
      {portals.length > 0 && (
        <Select
          label={t('portal')}
          placeholder={t('portalLater')}
          data={choices(portals)}
          searchable
          clearable
          {...getInputProps('portal_id')}
        />
      )}
    </FormModal>
  );
}
