import { SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { packageForm, type SoldPackage } from '@portico/contract/packages.ts';
import { portalLanguages, type ShippedLanguage } from '@portico/contract/portal-languages.ts';
import { currencies } from '@portico/contract/units.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { fromHundredths, hundredths } from '#lib/hundredths.ts';
import { language as panelLanguage } from '#lib/language.ts';
import { useChange } from '#lib/queries.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

type Texts = Record<ShippedLanguage, string>;

interface Values extends Record<string, unknown> {
  location_id: string | null;
  profile_id: string | null;
  name: Texts;
  description: Texts;
  price: string;
  currency: string;
  tax_rate: string;
  min_days: number | string;
  max_days: number | string;
  position: number | string;
  is_active: boolean;
}

const inAll = (texts: Partial<Texts> = {}): Texts =>
  Object.fromEntries(portalLanguages.map(it => [it, texts[it] ?? ''])) as Texts;

interface Props {
  item: SoldPackage | undefined;
  /** The currency of a new package: that of the others. */
  usual: SoldPackage['currency'] | undefined;
  onClose: () => void;
}

export function PackageForm({ item, usual = 'eur', onClose }: Props) {
  const { t } = useTranslation(['packages', 'common']);
  const workingLocation = useWorkingLocation();
  const [language, setLanguage] = useState<ShippedLanguage>(panelLanguage());
  const send = (body: z.input<typeof packageForm>) =>
    item ? call(api.packages.update, { params: { id: item.id }, body }) : call(api.packages.create, { body });
  const save = useChange({ send, refresh: [api.packages.list, api.profiles.list], done: t('saved') });
  const form = useContractForm<typeof packageForm, Values>({
    schema: async () => packageForm,
    initial: {
      location_id: item?.location_id ?? workingLocation,
      profile_id: item?.profile_id ?? null,
      name: inAll(item?.name),
      description: inAll(item?.description),
      price: item ? fromHundredths(item.price) : '',
      currency: item?.currency ?? usual,
      tax_rate: item ? fromHundredths(item.tax_rate) : '20',
      min_days: item?.min_days ?? 1,
      max_days: item?.max_days ?? 7,
      position: item?.position ?? 0,
      is_active: item?.is_active ?? true,
    },
    toInput: values => ({ ...values, price: hundredths(values.price), tax_rate: hundredths(values.tax_rate) }),
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, errors, setFieldValue, getInputProps } = form.form;
  const query = { per_page: 999, location_id: values.location_id ?? undefined };
  const enabled = values.location_id !== null;
  const profiles = useQuery({ ...queryOf(api.profiles.list, { query }), enabled }).data?.data ?? [];
  const paid = profiles.filter(it => it.paid_sale.is_active);
  /** The price of the profile, where none was typed yet. */
  const choose = (id: string | null) => {
    setFieldValue('profile_id', id);
    const sale = paid.find(it => it.id === id)?.paid_sale;
    if (!sale || values.price) return;
    setFieldValue('price', String(sale.value));
    setFieldValue('currency', sale.option);
  };
  return (
    <FormModal title={item ? t('edit') : t('add')} form={form} size={580} pending={save.isPending} onClose={onClose}>
      {!item && <LocationField {...getInputProps('location_id')} />}
      <Select
        label={t('profile')}
        withAsterisk
        description={paid.length || !enabled ? t('profileHelp') : t('noProfiles')}
        data={choices(paid)}
        {...getInputProps('profile_id')}
        onChange={choose}
      />
      <SegmentedControl
        fullWidth
        // Twelve languages need two lines on a phone.
        style={{ flexWrap: 'wrap' }}
        aria-label={t('language')}
        data={portalLanguages.map(it => ({ value: it, label: it.toUpperCase() }))}
        value={language}
        onChange={it => setLanguage(it as ShippedLanguage)}
      />
      <TextInput
        key={`name-${language}`}
        label={`${t('name')} (${language.toUpperCase()})`}
        withAsterisk
        autoComplete="off"
        lang={language}
        dir="auto"
        {...getInputProps(`name.${language}`)}
        error={errors[`name.${language}`] ?? errors['name']}
      />
      <Textarea
        key={`description-${language}`}
        label={`${t('description')} (${language.toUpperCase()})`}
        autosize
        minRows={2}
        maxLength={300}
        lang={language}
        dir="auto"
        {...getInputProps(`description.${language}`)}
      />
      <div className={layout.two}>
        <TextInput
          label={t('dayPrice')}
          description={t('dayPriceHelp')}
          withAsterisk
          inputMode="decimal"
          autoComplete="off"
          {...getInputProps('price')}
        />
        <Select
          label={t('currency')}
          description={t('currencyHelp')}
          allowDeselect={false}
          data={currencies.map(it => ({ value: it, label: it.toUpperCase() }))}
          {...getInputProps('currency')}
        />
      </div>
      <div className={layout.two}>
        <TextInput label={t('taxRate')} inputMode="decimal" autoComplete="off" {...getInputProps('tax_rate')} />
        <NumberField label={t('position')} {...getInputProps('position')} />
      </div>
      <div className={layout.two}>
        <NumberField label={t('minDays')} withAsterisk {...getInputProps('min_days')} />
        <NumberField label={t('maxDays')} withAsterisk {...getInputProps('max_days')} />
      </div>
      <Switch label={t('on')} description={t('onHelp')} {...getInputProps('is_active', { type: 'checkbox' })} />
    </FormModal>
  );
}
