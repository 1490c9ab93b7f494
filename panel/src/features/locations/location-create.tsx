import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LocationAddress } from '#features/locations/location-address.tsx';
import { useCreateLocation } from '#features/locations/locations.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function LocationCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('locations');
  const navigate = useNavigate();
  const create = useCreateLocation();
  const form = useContractForm({
    schema: async () => (await import('#features/locations/location-schemas.ts')).newLocation,
    initial: { name: '', country: '', city: '', district: '' },
    submit: async values => {
      const { data } = await create.mutateAsync(values);
      onClose();
      await navigate({ to: '/locations/$locationId/edit', params: { locationId: data.id } });
    },
  });
  return (
    <FormModal title={t('add')} form={form} pending={create.isPending} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
      <LocationAddress form={form.form} />
    </FormModal>
  );
}
