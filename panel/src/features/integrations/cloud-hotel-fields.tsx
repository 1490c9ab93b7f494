import { NativeSelect, Select } from '@mantine/core';
import { apaleoVatTypes, type CloudHotelSlug, mewsEnvironments } from '@portico/contract/integration-names.ts';
import { currencies } from '@portico/contract/units.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import layout from '#ui/form-layout.module.css';

interface Props {
  slug: CloudHotelSlug;
  input: (name: string) => object;
  text: (name: string, label: string, more?: object) => ReactNode;
  secret: (name: string, label: string) => ReactNode;
}

const below = ['label', 'input', 'description', 'error'] as const;
const described = (text: string) => ({ description: text, inputWrapperOrder: [...below] });

/** The account at a hotel system in the cloud, and how charges appear on the rooms’ bills there. */
export function CloudHotelFields({ slug, input, text, secret }: Props) {
  const { t } = useTranslation('integrations');
  const isMews = slug === 'mews';
  return (
    <>
      <p className={classes.help}>{t(`${slug}.help`)}</p>
      <p className={classes.help}>{t(`${slug}.untried`)}</p>
      {isMews ? (
        <>
          <NativeSelect
            label={t('mews.environment')}
            data={mewsEnvironments.map(value => ({ value, label: t(`mews.environments.${value}`) }))}
            {...input('environment')}
          />
          <div className={layout.two}>
            {secret('client_token', t('mews.clientToken'))}
            {secret('access_token', t('mews.accessToken'))}
          </div>
        </>
      ) : (
        <>
          {text('property_id', t('apaleo.property'), { placeholder: 'MUC', 'data-autofocus': true })}
          <div className={layout.two}>
            {text('client_id', t('apaleo.clientId'))}
            {secret('client_secret', t('apaleo.clientSecret'))}
          </div>
        </>
      )}
      <Select
        label={t('fias.currency')}
        placeholder={t('fias.noCharges')}
        data={currencies.map(value => ({ value, label: value.toUpperCase() }))}
        clearable
        {...described(t('fias.currencyHelp'))}
        {...input('currency')}
      />
      {isMews ? (
        <>
          {text('service_id', t('mews.service'), { withAsterisk: false, ...described(t('mews.serviceHelp')) })}
          {text('tax_code', t('mews.taxCode'), { withAsterisk: false, ...described(t('mews.taxCodeHelp')) })}
        </>
      ) : (
        <NativeSelect
          label={t('apaleo.vatType')}
          data={apaleoVatTypes.map(value => ({ value, label: t(`apaleo.vatTypes.${value}`) }))}
          {...described(t('apaleo.vatTypeHelp'))}
          {...input('vat_type')}
        />
      )}
    </>
  );
}
