import { Button } from '@mantine/core';
import { yearsAfter } from '@portico/contract/licence-days.ts';
import type { Location } from '@portico/contract/locations.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLicenseCustomer } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { currentEnd } from '#lib/current-end.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { dayIn } from '#lib/time-zone.ts';
import { Card } from '#ui/card.tsx';
import { DateField } from '#ui/date-field.tsx';
import { Facts } from '#ui/facts.tsx';
import { LicenceState } from '#ui/licence-state.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** One year after the end of the licence, or after today if it has ended or there is none. */
function suggestedEnd({ license_end_at, time_zone }: Location): string {
  const today = dayIn(time_zone, new Date().toISOString());
  const end = license_end_at ? dayIn(time_zone, license_end_at) : today;
  return yearsAfter(end > today ? end : today, 1);
}

export function CustomerLicence({ customer }: { customer: Location }) {
  const { t } = useTranslation('customers');
  const license = useLicenseCustomer(customer);
  /** The day that was applied last. The button is enabled again for another one. */
  const [applied, setApplied] = useState<string>();
  /** The end that was shown; after a conflict, the end that is stored. */
  const [seen, see] = useState(customer.license_end_at);
  const [changed, setChanged] = useState(false);
  const [stored, store] = useState(customer.license_end_at);
  if (stored !== customer.license_end_at) {
    store(customer.license_end_at);
    // A colleague has changed it since, so that the same day can be applied again.
    if (customer.license_end_at !== seen) setApplied(undefined);
  }
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/locations.ts')).licenseForm,
    initial: { license_end_at: suggestedEnd(customer) },
    submit: async ({ license_end_at }) => {
      if (!license_end_at || license_end_at === applied) return;
      try {
        const { data } = await license.mutateAsync({ license_end_at, expected_end_at: seen });
        see(data.license_end_at);
        setChanged(false);
        setApplied(license_end_at);
      } catch (error) {
        const now = currentEnd(error);
        if (now === undefined) throw error;
        see(now);
        setChanged(true);
      }
    },
  });
  return (
    <Card title={t('tab.settings-license')}>
      <Facts
        facts={[
          { label: t('licence.state'), value: <LicenceState of={customer} /> },
          {
            label: t('licence.sms'),
            value: t('licence.smsUsed', {
              used: formatNumber(customer.sms_used),
              limit: formatNumber(customer.sms_limit),
            }),
          },
        ]}
      />
      <form {...element} className={classes.licence}>
        <DateField
          type="date"
          label={t('licence.end')}
          description={t('licence.help')}
          {...form.getInputProps('license_end_at')}
          {...(changed && {
            error: t('licence.changed', { date: seen ? formatDate(seen, customer.time_zone) : '–' }),
          })}
        />
        <Button type="submit" loading={license.isPending} disabled={form.values.license_end_at === applied}>
          {t('licence.apply')}
        </Button>
      </form>
    </Card>
  );
}
