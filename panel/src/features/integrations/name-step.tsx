import { Button, Group, Select, TextInput } from '@mantine/core';
import {
  type FieldMapping,
  integrationForm,
  type PmsConnection,
  type PmsSlug,
} from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useCreateIntegration } from '#features/integrations/integrations.api.ts';
import { useLocationChoices, useWorkingLocation } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  kind: PmsSlug;
  params: { connection: PmsConnection; fields: FieldMapping };
  onBack: () => void;
  onCreated: (name: string) => void;
}

export function NameStep({ kind, params, onBack, onCreated }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const locations = useLocationChoices();
  const create = useCreateIntegration();
  const { form, element } = useContractForm({
    schema: async () => integrationForm,
    initial: { name: '', location_id: useWorkingLocation() },
    toInput: values => ({ ...values, integration_id: kind, params }),
    submit: async values => onCreated((await create.mutateAsync(values)).data.name),
  });
  return (
    <form {...element}>
      <div className={modal.fields}>
        <TextInput
          label={t('name')}
          placeholder={t('namePlaceholder')}
          withAsterisk
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t('location')}
          placeholder={t('common:chooseLocation')}
          withAsterisk
          {...locations}
          {...form.getInputProps('location_id')}
        />
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onBack} disabled={create.isPending}>
          {t('common:back')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('common:save')}
        </Button>
      </Group>
    </form>
  );
}
