import { Autocomplete, SegmentedControl, TextInput } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNewOwners, useTransferCustomer } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { useCan } from '#lib/permissions.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  customer: Location;
  /** Called once the customer was transferred. */
  onDone: () => void;
  onClose: () => void;
}

export function TransferCustomer({ customer, onDone, onClose }: Props) {
  const { t } = useTranslation('customers');
  const isAdmin = useCan()('tenant-admin');
  const [to, setTo] = useState<'person' | 'tenant'>('person');
  const give = useTransferCustomer(customer);
  const form = useContractForm({
    schema: async () => (await import('@portico/contract/customers.ts')).handOverForm,
    initial: { email: '' },
    toInput: values => (to === 'tenant' ? { email: null } : values),
    submit: async values => {
      await give.mutateAsync(values);
      onClose();
      // Users who may see all of the tenant's customers still see this one.
      if (!isAdmin) onDone();
    },
  });
  const { values, getInputProps, clearErrors } = form.form;
  const receivers = useNewOwners(values.email);
  const nameOf = (email: string) => receivers.find(user => user.email === email)?.full_name;
  const email = {
    label: t('handOver.email'),
    description: t(isAdmin ? 'handOver.emailHelpAdmin' : 'handOver.emailHelp'),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    withAsterisk: true,
    autoComplete: 'off',
    'data-autofocus': true,
    ...getInputProps('email'),
  };
  return (
    <FormModal
      title={t('handOver.title', { name: customer.name })}
      form={form}
      submitLabel={t('handOver.button')}
      pending={give.isPending}
      onClose={onClose}
    >
      <p className={classes.plain}>{t(isAdmin ? 'handOver.textAdmin' : 'handOver.text')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('handOver.to')}
        data={[
          { value: 'person', label: t('handOver.person') },
          { value: 'tenant', label: t('handOver.tenant') },
        ]}
        value={to}
        onChange={value => {
          clearErrors();
          setTo(value as typeof to);
        }}
      />
      {to === 'person' && !isAdmin && <TextInput {...email} type="email" />}
      {to === 'person' && isAdmin && (
        <Autocomplete
          {...email}
          // The server has already searched, also by name.
          filter={({ options }) => options}
          data={receivers.map(user => user.email)}
          renderOption={({ option }) => `${nameOf(option.value) ?? ''} · ${option.value}`}
          comboboxProps={{ zIndex: 220 }}
        />
      )}
    </FormModal>
  );
}
