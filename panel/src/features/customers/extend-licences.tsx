import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useExtendCustomers } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  /** Names by ids. */
  customers: ReadonlyMap<string, string>;
  onDone: () => void;
  onClose: () => void;
}

const named = 5;

/** Lists the customers before their licences are extended. */
export function ExtendLicences({ customers, onDone, onClose }: Props) {
  const { t } = useTranslation('customers');
  const extend = useExtendCustomers();
  const form = useContractForm({
    schema: async () => (await import('@portico/contract/customers.ts')).extendForm,
    initial: { year: '1' },
    toInput: values => ({ ...values, ids: [...customers.keys()] }),
    submit: async values => {
      await extend.mutateAsync(values);
      onClose();
      onDone();
    },
  });
  return (
    <FormModal
      title={t('extend.title', { count: customers.size })}
      form={form}
      submitLabel={t('extend.button')}
      pending={extend.isPending}
      size={460}
      onClose={onClose}
    >
      <p className={classes.plain}>{t('extend.text')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('extend.term')}
        data={['1', '2', '3'].map(value => ({ value, label: t('extend.years', { count: Number(value) }) }))}
        {...form.form.getInputProps('year')}
      />
      <ul className={classes.names}>
        {[...customers].slice(0, named).map(([id, name]) => (
          <li key={id}>{name}</li>
        ))}
        {customers.size > named && <li>{t('extend.more', { count: customers.size - named })}</li>}
      </ul>
    </FormModal>
  );
}
