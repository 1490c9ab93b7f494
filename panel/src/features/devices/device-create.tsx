import { TextInput } from '@mantine/core';
import { hasSerialNumber } from '@portico/contract/devices.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandChoice } from '#features/devices/brand-choice.tsx';
import { useBrands, useCreateDevice } from '#features/devices/devices.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField, useWorkingLocation } from '#ui/location-field.tsx';
import { MacInput } from '#ui/mac-input.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** After it the device's facts are shown: what the router must be told. */
export function DeviceCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('devices');
  const navigate = useNavigate();
  const brands = useBrands().data?.data ?? [];
  const create = useCreateDevice();
  const form = useContractForm({
    schema: async () => (await import('#features/devices/device-schemas.ts')).newDevice,
    initial: {
      brand_id: undefined as string | undefined,
      name: '',
      mac_address: '',
      location_id: useWorkingLocation(),
    },
    submit: async values => {
      const { data } = await create.mutateAsync(values);
      onClose();
      await navigate({ to: '/devices/$deviceId/info', params: { deviceId: data.id } });
    },
  });
  const { values, errors, getInputProps, setFieldValue } = form.form;
  const brand = brands.find(each => each.id === values.brand_id);
  const serial = hasSerialNumber(brand?.slug ?? '');
  return (
    <FormModal title={t('add')} submitLabel={t('add')} form={form} pending={create.isPending} onClose={onClose}>
      <BrandChoice
        brands={brands}
        value={values.brand_id}
        onChange={id => {
          setFieldValue('brand_id', id);
          setFieldValue('mac_address', '');
        }}
        error={errors.brand_id}
      />
      <TextInput label={t('name')} placeholder={t('namePlaceholder')} withAsterisk {...getInputProps('name')} />
      {serial ? (
        <TextInput label={t('serial')} withAsterisk autoComplete="off" {...getInputProps('mac_address')} />
      ) : (
        <MacInput label={t('mac')} withAsterisk {...getInputProps('mac_address')} />
      )}
      <LocationField {...getInputProps('location_id')} />
    </FormModal>
  );
}
