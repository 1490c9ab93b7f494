import { Select, Switch, TextInput } from '@mantine/core';
import type { LicenceTerms, licenceTermsForm } from '@portico/contract/licence-payments.ts';
import { currencies } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { fromHundredths, hundredths } from '#lib/hundredths.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  is_active: boolean;
  price: string;
  currency: string;
  tax_rate: string;
}

/** The price of a licence of a year, and whether customers can pay it online. */
export function LicenceTermsCard({ terms }: { terms: LicenceTerms | null }) {
  const { t } = useTranslation('licences');
  const readOnly = !useCan()('tenant-admin');
  const save = useChange({
    send: (body: z.input<typeof licenceTermsForm>) => call(api.licencePayments.setTerms, { body }),
    refresh: [api.licencePayments.terms, api.licencePayments.offer],
    done: t('saved'),
  });
  const { form, element } = useContractForm<typeof licenceTermsForm, Values>({
    schema: async () => (await import('@portico/contract/licence-payments.ts')).licenceTermsForm,
    initial: {
      is_active: terms?.is_active ?? false,
      price: terms ? fromHundredths(terms.price) : '',
      currency: terms?.currency ?? 'eur',
      tax_rate: terms ? fromHundredths(terms.tax_rate) : '20',
    },
    version: JSON.stringify(terms),
    toInput: values => ({ ...values, price: hundredths(values.price), tax_rate: hundredths(values.tax_rate) }),
    submit: async values => {
      await save.mutateAsync(values);
    },
  });
  return (
    <form {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('terms')} description={t('termsHelp')}>
          <div className={layout.fields}>
            <Switch
              label={t('active')}
              description={t('activeHelp')}
              {...form.getInputProps('is_active', { type: 'checkbox' })}
            />
            <div className={layout.two}>
              <TextInput
                label={t('price')}
                description={t('priceHelp')}
                withAsterisk
                inputMode="decimal"
                autoComplete="off"
                {...form.getInputProps('price')}
              />
              <Select
                label={t('currency')}
                description={t('currencyHelp')}
                allowDeselect={false}
                data={currencies.map(it => ({ value: it, label: it.toUpperCase() }))}
                {...form.getInputProps('currency')}
              />
              <TextInput
                label={t('taxRate')}
                withAsterisk
                inputMode="decimal"
                autoComplete="off"
                {...form.getInputProps('tax_rate')}
              />
            </div>
          </div>
        </Card>
      </fieldset>
      <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={save.isPending} onDiscard={form.reset} />
    </form>
  );
}
