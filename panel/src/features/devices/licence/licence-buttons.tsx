import { Button, Group } from '@mantine/core';
import type { Device } from '@portico/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLicenseDevice } from '#features/devices/device-setup.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { endAfter } from '#lib/licence-days.ts';
import { useUser } from '#lib/user.ts';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

const licenceYears = [1, 2, 3] as const;

/** Tenant administrators may license any device, resellers only devices in trial. */
export function useMayLicense(device: Device): boolean {
  const user = useUser();
  return user.is_team_admin || (user.can_create_location && device.is_trial);
}

export function LicenceButtons({ device }: { device: Device }) {
  const { t } = useTranslation(['devices', 'common']);
  const license = useLicenseDevice(device.id);
  const [asking, setAsking] = useState<number>();
  if (!useMayLicense(device)) return null;
  return (
    <>
      <Group gap={8}>
        {licenceYears.map(years => (
          <Button key={years} variant="default" onClick={() => setAsking(years)}>
            {t('licence.years', { count: years })}
          </Button>
        ))}
      </Group>
      {asking && (
        <Confirm
          opened
          title={t('licence.ask', { count: asking })}
          text={t('licence.askText', { name: device.name, date: endAfter(device, asking) })}
          confirm={t('licence.confirm')}
          cancel={t('common:cancel')}
          pending={license.isPending}
          onConfirm={() => license.mutate(asking, { onSuccess: () => setAsking(undefined) })}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
