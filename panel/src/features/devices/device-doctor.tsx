import { Button } from '@mantine/core';
import type { DoctorCheck } from '@portico/contract/device-doctor.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconStethoscope } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useExamine } from '#features/devices/device-setup.api.ts';
import classes from '#features/devices/doctor.module.css';
import { formatNumber } from '#lib/format.ts';
import { LoadError } from '#ui/load-error.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const tones: Record<DoctorCheck['state'], Tone> = { ok: 'good', failed: 'bad', unknown: 'idle' };

/** One click: what works between a router and us, and what to do about the rest. */
export function DeviceDoctor({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const examine = useExamine(device.id);
  const checks = examine.data?.data;
  const adviceOf = ({ name, reason, seconds, address }: DoctorCheck) =>
    t(`doctor.advice.${name}.${reason}` as 'doctor.advice.secret.wrong', {
      seconds: formatNumber(Math.abs(seconds ?? 0)),
      address: address ?? '',
      brand: device.brand.name,
      defaultValue: '',
    });
  return (
    <>
      <Button
        variant={checks ? 'default' : 'filled'}
        leftSection={<IconStethoscope size={16} />}
        loading={examine.isPending}
        onClick={() => examine.mutate()}
      >
        {t(checks ? 'doctor.again' : 'doctor.examine')}
      </Button>
      {examine.error && <LoadError error={examine.error} onRetry={() => examine.mutate()} />}
      <ul className={classes.checks} aria-label={t('doctor.title')} aria-live="polite">
        {checks?.map(check => (
          <li key={check.name}>
            <span className={classes.name}>{t(`doctor.checks.${check.name}`)}</span>
            <StatusDot tone={tones[check.state]}>{t(`doctor.states.${check.state}`)}</StatusDot>
            <span className={classes.when}>{check.at && <RelativeTime time={check.at} />}</span>
            {check.state !== 'ok' && <p>{adviceOf(check)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
