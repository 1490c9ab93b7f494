import { Button, Group, Select, TextInput } from '@mantine/core';
import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { FieldMapping, Integration, IntegrationKind } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useCreateIntegration } from '#features/integrations/integrations.api.ts';
import { useUser } from '#lib/user.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { useLocationChoices } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  kind: IntegrationKind;
  params: { connection: IntegrationConnection; fields: FieldMapping | null };
  onBack: () => void;
  /** With the signing secret of a webhook, shown only once. */
  onCreated: (made: Integration & { secret?: string | undefined }) => void;
}

/** The choice of no location. */
const wholeTenant = 'tenant';

export function NameStep({ kind, params, onBack, onCreated }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const { data, ...locations } = useLocationChoices();
  const { is_team_admin } = useUser();
  const offersTenant = (kind.slug === 'webhook' || kind.type === 'payment') && is_team_admin;
  const create = useCreateIntegration();
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/integrations.ts')).integrationForm,
    initial: { name: kind.type === 'pms' ? '' : kind.name, location_id: useWorkingLocation() },
    toInput: values => ({
      ...values,
      location_id: values.location_id === wholeTenant ? null : values.location_id,
      integration_id: kind.slug,
      params,
    }),
    submit: async values => onCreated((await create.mutateAsync(values)).data),
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
          data={offersTenant ? [{ value: wholeTenant, label: t('wholeTenant') }, ...data] : data}
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
