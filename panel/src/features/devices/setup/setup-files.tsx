import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSetupFiles } from '#features/devices/device-setup.api.ts';
import { Lines } from '#features/devices/setup/lines.tsx';
import classes from '#features/devices/setup/setup.module.css';
import { downloadText } from '#lib/download-text.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** The configuration to paste on a gateway. It is made from the device's present values. */
export function SetupFiles({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const query = useSetupFiles(device);
  if (query.error) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <FormSkeleton fields={2} />;
  return (
    <div className={classes.stack}>
      {query.data.data.map(({ name, text }) => (
        <Lines key={name} text={text} label={name} help={name}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => downloadText(`${device.nas_identifier}-${name.split('/').at(-1)}`, text)}
          >
            {t('files.download')}
          </Button>
        </Lines>
      ))}
    </div>
  );
}
