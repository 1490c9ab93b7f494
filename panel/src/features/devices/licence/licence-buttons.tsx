import { Button, Group } from '@mantine/core';
import type { Device } from '@portico/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLicenseDevice } from '#features/devices/device-setup.api.ts';
import { currentEnd } from '#lib/current-end.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { endAfter } from '#lib/licence-days.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

const licenceYears = [1, 2, 3] as const;

/** Tenant administrators may license any device, resellers only devices in trial. Not on reseller hosts. */
export function useMayLicense(device: Device): boolean {
  const user = useUser();
  return showsLicences() && (user.is_team_admin || (user.can_create_location && device.is_trial));
}

interface Question {
  years: number;
  /** The end that the question names. */
  end: string | null;
}

export function LicenceButtons({ device }: { device: Device }) {
  const { t } = useTranslation(['devices', 'common']);
  const license = useLicenseDevice(device.id);
  const [question, ask] = useState<Question>();
  if (!useMayLicense(device)) return null;
  const send = ({ years, end }: Question) =>
    license.mutate(
      { year: years, expected_end_at: end },
      {
        onSuccess: () => ask(undefined),
        onError: error => {
          const now = currentEnd(error);
          if (now !== undefined) ask({ years, end: now });
        },
      },
    );
  return (
    <>
      <Group gap={8}>
        {licenceYears.map(years => (
          <Button key={years} variant="default" onClick={() => ask({ years, end: device.license_end_at })}>
            {t('licence.years', { count: years })}
          </Button>
        ))}
      </Group>
      {question && (
        <Confirm
          opened
          title={t('licence.ask', { count: question.years })}
          text={t('licence.askText', {
            name: device.name,
            date: endAfter({ ...device, license_end_at: question.end }, question.years),
          })}
          confirm={t('licence.confirm')}
          cancel={t('common:cancel')}
          pending={license.isPending}
          onConfirm={() => send(question)}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}
