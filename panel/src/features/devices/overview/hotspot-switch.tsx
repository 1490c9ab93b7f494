import { Switch } from '@mantine/core';
import type { Device } from '@portico/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSwitchHotspot } from '#features/devices/device-setup.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** Asks before switching off, because guests then cannot sign in at the device. */
export function HotspotSwitch({ device, disabled }: { device: Device; disabled: boolean }) {
  const { t } = useTranslation(['devices', 'common']);
  const change = useSwitchHotspot(device.id);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Switch
        label={t(device.hotspot_status ? 'hotspot.on' : 'hotspot.off')}
        description={t('hotspot.help')}
        checked={device.hotspot_status}
        disabled={disabled || change.isPending}
        onChange={event => (event.currentTarget.checked ? change.mutate(true) : setAsking(true))}
      />
      {asking && (
        <Confirm
          opened
          title={t('hotspot.ask')}
          text={t('hotspot.askText', { name: device.name })}
          confirm={t('hotspot.switchOff')}
          cancel={t('common:cancel')}
          danger
          pending={change.isPending}
          onConfirm={() => change.mutate(false, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
