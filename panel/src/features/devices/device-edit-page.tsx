import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { PortalPeriod } from '@portico/contract/portal-periods.ts';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { useModels, useUpdateDevice } from '#features/devices/devices.api.ts';
import { changePeriods, PeriodsCard } from '#features/portals/public.ts';
import { useChoices } from '#lib/choices.ts';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { MacInput } from '#ui/mac-input.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export const DeviceEditPage = () => (
  <DeviceScreen>{device => <DeviceForm key={device.id} device={device} />}</DeviceScreen>
);

function DeviceForm({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const user = useUser();
  const models = useModels(device.brand_id).data?.data ?? [];
  const update = useUpdateDevice(device.id);
  const { portals } = useChoices(device.location_id);
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/devices/device-schemas.ts')).changedDevice,
    initial: {
      name: device.name,
      mac_address: device.serial_number ?? device.mac_address,
      model_id: device.model_id ?? '',
      hotspot_address: device.hotspot_address ?? '',
      logging_enabled: user.is_team_admin ? device.logging_enabled : undefined,
      portal_periods: device.portal_periods as readonly PortalPeriod[],
    },
    version: device.updated_at,
    toInput: values => ({
      ...values,
      model_id: values.model_id || null,
      hotspot_address: values.hotspot_address || null,
      portal_periods: [...values.portal_periods],
    }),
    submit: values => update.mutateAsync(values),
  });
  const address = form.getInputProps('mac_address');
  return (
    <form {...element}>
      <Card title={t('information')}>
        <div className={layout.fields}>
          <TextInput label={t('name')} withAsterisk {...form.getInputProps('name')} />
          <div className={layout.two}>
            {device.serial_number !== null ? (
              <TextInput label={t('serial')} withAsterisk autoComplete="off" {...address} />
            ) : (
              <MacInput label={t('mac')} withAsterisk {...address} />
            )}
            <NativeSelect
              label={t('model')}
              data={[{ value: '', label: t('noModel') }, ...choices(models, device.model)]}
              {...form.getInputProps('model_id')}
            />
          </div>
          <TextInput
            label={t('hotspotAddress')}
            description={t('hotspotAddressHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder="10.5.50.1"
            autoComplete="off"
            {...form.getInputProps('hotspot_address')}
          />
          {user.is_team_admin && (
            <Switch
              label={t('logging')}
              description={t('loggingHelp')}
              {...form.getInputProps('logging_enabled', { type: 'checkbox' })}
            />
          )}
        </div>
      </Card>
      {(portals.length > 0 || device.portal_periods.length > 0) && (
        <PeriodsCard
          values={form.values.portal_periods}
          saved={device.portal_periods}
          onChange={periods => changePeriods(form, periods)}
          errors={form.errors}
          portals={portals}
          timeZone={device.time_zone}
          otherwise={device.location_portal}
          help="device"
        />
      )}
      <SaveBar dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
