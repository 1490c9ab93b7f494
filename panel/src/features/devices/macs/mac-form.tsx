import { Checkbox, TextInput } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { isMac } from '@portico/contract/mac.ts';
import { type MacRule, macForm, type Network } from '@portico/contract/networks.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/devices.module.css';
import { useAddMac } from '#features/devices/networks/networks.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { MacInput } from '#ui/mac-input.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  device: DeviceDetail;
  type: MacRule['type'];
  networks: readonly Network[];
  onClose: () => void;
}

/** Where a device has networks, at least one must be named (document 2, section 5). */
export function MacForm({ device, type, networks: all, onClose }: Props) {
  // Routers know such rules for IPv4 only.
  const networks = all.filter(({ start_ip }) => !start_ip.includes(':'));
  const { t } = useTranslation('devices');
  const add = useAddMac(device.id, type);
  const form = useContractForm({
    schema: async () => macForm,
    initial: { mac: '', comment: '', networks: networks.length === 1 ? networks.map(({ id }) => id) : [] },
    toInput: values => ({ ...values, type }),
    submit: async values => {
      await add.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  const incomplete = !isMac(values.mac) || (networks.length > 0 && values.networks.length === 0);
  return (
    <FormModal
      title={t(`macs.${type}.add`)}
      form={form}
      pending={add.isPending}
      incomplete={incomplete}
      onClose={onClose}
    >
      <MacInput label={t('mac')} withAsterisk data-autofocus {...getInputProps('mac')} />
      <TextInput label={t('macs.comment')} autoComplete="off" {...getInputProps('comment')} />
      {networks.length > 0 && (
        <Checkbox.Group label={t('macs.networks')} withAsterisk {...getInputProps('networks')}>
          <div className={classes.checks}>
            {networks.map(({ id, name, start_ip, subnet }) => (
              <Checkbox key={id} value={id} label={name} description={`${start_ip}/${subnet}`} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </FormModal>
  );
}
