import { Button, SegmentedControl, TagsInput, TextInput } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMikrotikScript } from '#features/devices/device-setup.api.ts';
import { Lines } from '#features/devices/setup/lines.tsx';
import { downloadText } from '#lib/download-text.ts';
import layout from '#ui/form-layout.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Generates the MikroTik script from the router's interfaces and addresses. */
export function MikrotikScript({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const generate = useMikrotikScript(device.id);
  const [made, setMade] = useState<{ script: string; command: string; undo: string }>();
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/device-setup.ts')).mikrotikScriptForm,
    initial: {
      gateway_interface: 'ether1',
      gateway_ip: '',
      hotspot_address: '10.5.50.1',
      hotspot_subnet: '24',
      guestInterfaces: [] as string[],
      version: '7',
    },
    submit: async values => setMade((await generate.mutateAsync(values)).data),
  });
  const { getInputProps } = form;
  return (
    <form {...element}>
      <div className={layout.fields}>
        <div>
          <span id="version" className="mantine-InputWrapper-label">
            {t('script.version')}
          </span>
          <div>
            <SegmentedControl
              aria-labelledby="version"
              data={[
                { value: '7', label: 'RouterOS 7' },
                { value: '6', label: 'RouterOS 6.49' },
              ]}
              {...getInputProps('version')}
            />
          </div>
        </div>
        <div className={layout.two}>
          <TextInput label={t('script.gatewayInterface')} withAsterisk {...getInputProps('gateway_interface')} />
          <TextInput
            label={t('script.gatewayIp')}
            placeholder="192.168.1.2"
            withAsterisk
            autoComplete="off"
            {...getInputProps('gateway_ip')}
          />
          <TextInput
            label={t('script.hotspotAddress')}
            withAsterisk
            autoComplete="off"
            {...getInputProps('hotspot_address')}
          />
          <TextInput
            label={t('script.hotspotSubnet')}
            placeholder="24"
            withAsterisk
            autoComplete="off"
            {...getInputProps('hotspot_subnet')}
          />
        </div>
        <TagsInput
          label={t('script.guestInterfaces')}
          description={t('script.guestInterfacesHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={form.values.guestInterfaces.length === 0 ? 'ether2, wlan1' : ''}
          splitChars={[',', ';']}
          acceptValueOnBlur
          withAsterisk
          {...getInputProps('guestInterfaces')}
        />
        <div>
          <Button type="submit" variant={made ? 'default' : 'filled'} loading={generate.isPending}>
            {t(made ? 'script.again' : 'script.generate')}
          </Button>
        </div>
      </div>
      {made && (
        <>
          <Lines text={made.command} label={t('script.line')} help={t('script.lineHelp')} />
          <Lines text={made.script} label={t('script.title')} help={t('script.paste')}>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadText(`portico-${device.nas_identifier}.rsc`, made.script)}
            >
              {t('script.download')}
            </Button>
          </Lines>
          <Lines text={made.undo} label={t('script.undo')} help={t('script.undoHelp')} />
        </>
      )}
    </form>
  );
}
