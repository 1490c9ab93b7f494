import { Select, TextInput } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { type Network, networkForm } from '@portico/contract/networks.ts';
import { useTranslation } from 'react-i18next';
import { useSaveNetwork } from '#features/devices/networks/networks.api.ts';
import { useChoices } from '#lib/choices.ts';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  device: DeviceDetail;
  network: Network | undefined;
  onClose: () => void;
}

export function NetworkFormModal({ device, network, onClose }: Props) {
  const { t } = useTranslation('devices');
  const { portals, profiles } = useChoices(device.location_id);
  const save = useSaveNetwork(device.id, network);
  const form = useContractForm({
    schema: async () => networkForm,
    initial: {
      name: network?.name ?? '',
      start_ip: network?.start_ip ?? '',
      subnet: network?.subnet ?? '24',
      portal_id: network?.portal_id ?? null,
      profile_id: network?.profile_id ?? null,
    },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormModal
      title={t(network ? 'network.edit' : 'network.add')}
      form={form}
      pending={save.isPending}
      onClose={onClose}
    >
      <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
      <div className={layout.two}>
        <TextInput
          label={t('network.startIp')}
          placeholder="10.5.50.0"
          withAsterisk
          autoComplete="off"
          {...getInputProps('start_ip')}
        />
        <TextInput
          label={t('network.subnet')}
          description={t('network.subnetHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          autoComplete="off"
          {...getInputProps('subnet')}
        />
      </div>
      <Select
        label={t('network.portal')}
        placeholder={t('network.locationPortal')}
        data={choices(portals, network?.portal)}
        searchable
        clearable
        {...getInputProps('portal_id')}
      />
      <Select
        label={t('network.profile')}
        placeholder={t('network.locationProfile')}
        data={choices(profiles, network?.profile)}
        searchable
        clearable
        {...getInputProps('profile_id')}
      />
    </FormModal>
  );
}
