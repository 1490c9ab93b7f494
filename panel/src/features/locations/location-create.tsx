import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LocationAddress } from '#features/locations/location-address.tsx';
import { useCreateLocation, useSharedPortals } from '#features/locations/locations.api.ts';
import { choices } from '#ui/choices.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function LocationCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('locations');
  const navigate = useNavigate();
  const portals = useSharedPortals();
  const create = useCreateLocation();
  const form = useContractForm({
    schema: async () => (await import('#features/locations/location-schemas.ts')).newLocation,
    initial: { name: '', country: '', city: '', district: '', portal_id: '' },
    toInput: values => ({ ...values, portal_id: values.portal_id || null }),
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
      <NativeSelect
        label={t('portal')}
        data={[{ value: '', label: t('noPortal') }, ...choices(portals)]}
        {...form.form.getInputProps('portal_id')}
      />
    </FormModal>
  );
}
