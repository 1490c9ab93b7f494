import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCreatePortal } from '#features/portals/portals.api.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function PortalCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('portals');
  const navigate = useNavigate();
  const create = useCreatePortal();
  const form = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).newPortal,
    initial: { name: '', location_id: useWorkingLocation() },
    submit: async values => {
      const { data } = await create.mutateAsync(values);
      onClose();
      await navigate({ to: '/portals/$portalId/edit', params: { portalId: data.id } });
    },
  });
  return (
    <FormModal title={t('add')} form={form} pending={create.isPending} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
      <LocationField {...form.form.getInputProps('location_id')} />
    </FormModal>
  );
}
