import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { MacCard } from '#features/devices/macs/mac-card.tsx';
import { useDownloadMacs } from '#features/devices/networks/networks.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';

const MacImport = lazyPart(() => import('#features/devices/macs/mac-import.tsx'), 'MacImport');

export const DeviceMacsPage = () => (
  <DeviceScreen>
    {device => (
      <>
        <MacFiles device={device} />
        <div className={classes.columns}>
          <MacCard device={device} type="bypassed" />
          <MacCard device={device} type="blocked" />
        </div>
      </>
    )}
  </DeviceScreen>
);

/** Exports both lists as one file, and imports such a file. */
function MacFiles({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const mayChange = useCan()('update-devices');
  const file = useDownloadMacs(device.id);
  const [importing, setImporting] = useState(false);
  return (
    <div className={classes.macFiles}>
      {mayChange && (
        <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={() => setImporting(true)}>
          {t('macs.importCsv')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        {t('macs.exportCsv')}
      </Button>
      {importing && <MacImport deviceId={device.id} onClose={() => setImporting(false)} />}
    </div>
  );
}
