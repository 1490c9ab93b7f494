import { Radio, TextInput } from '@mantine/core';
import type { Domain } from '@portico/contract/tenants.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/tenants/roles.module.css';
import { useCreateDomain } from '#features/tenants/tenants.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function DomainForm({ onCreated, onClose }: { onCreated: (domain: Domain) => void; onClose: () => void }) {
  const { t } = useTranslation('tenants');
  const create = useCreateDomain();
  const form = useContractForm({
    schema: async () => (await import('#features/tenants/tenant-schemas.ts')).domainForm,
    initial: { host: '', variant: 'standard' },
    submit: async values => {
      const { data } = await create.mutateAsync(values);
      onCreated(data);
    },
  });
  return (
    <FormModal title={t('domain.add')} form={form} pending={create.isPending} onClose={onClose}>
      <TextInput
        label={t('domain.host')}
        description={t('domain.hostHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="wifi.example.com"
        withAsterisk
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.form.getInputProps('host')}
      />
      <Radio.Group label={t('domain.variant')} {...form.form.getInputProps('variant')}>
        <div className={classes.roles}>
          {(['standard', 'reseller'] as const).map(variant => (
            <Radio
              key={variant}
              value={variant}
              label={t(`domain.${variant}`)}
              description={t(`domain.${variant}Help`)}
            />
          ))}
        </div>
      </Radio.Group>
    </FormModal>
  );
}
