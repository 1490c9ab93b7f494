import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hasLoginFile, useDownloadLoginFile } from '#features/devices/device-setup.api.ts';
import { useCan } from '#lib/permissions.ts';

/** Downloads the sign-in page for the router. Hidden for brands without one. */
export function LoginFileButton({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const can = useCan();
  const file = useDownloadLoginFile(device);
  if (!hasLoginFile(device.brand.slug) || !can('update-devices')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={file.isPending}
      onClick={() => file.mutate()}
    >
      {t('loginFile')}
    </Button>
  );
}
