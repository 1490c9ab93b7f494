import { Button } from '@mantine/core';
import type { DoctorCheck } from '@portico/contract/device-doctor.ts';
import { gatewayKind } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconStethoscope } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/connection/doctor.module.css';
import { useAcceptHost, useDeviceDoctor } from '#features/devices/device-setup.api.ts';
import { formatNumber } from '#lib/format.ts';
import { LoadError } from '#ui/load-error.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const tones: Record<DoctorCheck['state'], Tone> = {
  ok: 'good',
  failed: 'bad',
  unknown: 'idle',
  running: 'busy',
};

/** Checks what works between a router and the server, and shows advice. */
export function DeviceDoctor({ device }: { device: DeviceDetail }) {
  const { t, i18n } = useTranslation('devices');
  const examine = useDeviceDoctor(device.id);
  const accept = useAcceptHost(device.id);
  const { checks } = examine;
  const adviceOf = ({ name, reason, seconds, address, words }: DoctorCheck): string => {
    const key = `doctor.advice.${name}.${reason}`;
    const { slug } = device.brand;
    const own = [slug, gatewayKind(slug)]
      .map(which => `${key}-${which}`)
      .find(candidate => i18n.exists(candidate, { ns: 'devices' }));
    return t((own ?? key) as 'doctor.advice.secret.wrong', {
      seconds: formatNumber(Math.abs(seconds ?? 0)),
      address: address ?? '',
      words: words ?? '',
      brand: device.brand.name,
      defaultValue: '',
    });
  };
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
      <div role="status">
        {examine.isPending ? (
          <p className={classes.summary}>
            <StatusDot tone="busy">{t('doctor.running')}</StatusDot>
          </p>
        ) : (
          checks && <Summary checks={checks} />
        )}
      </div>
      <ul className={classes.checks} aria-label={t('doctor.title')}>
        {checks?.map(check => (
          <li key={check.name}>
            <span className={classes.name}>{t(`doctor.checks.${check.name}`)}</span>
            <StatusDot tone={tones[check.state]}>{t(`doctor.states.${check.state}`)}</StatusDot>
            <span className={classes.when}>{check.at && <RelativeTime time={check.at} />}</span>
            {(check.state === 'failed' || check.state === 'unknown') && <p>{adviceOf(check)}</p>}
            {check.name === 'login_host' && check.address && (
              <Button
                variant="default"
                loading={accept.isPending}
                onClick={() => accept.mutate(check.address!, { onSuccess: () => examine.mutate() })}
              >
                {t('doctor.accept', { host: check.address })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Summary({ checks }: { checks: readonly DoctorCheck[] }) {
  const { t } = useTranslation('devices');
  const count = (state: DoctorCheck['state']) => checks.filter(check => check.state === state).length;
  const [failed, unknown] = [count('failed'), count('unknown')];
  const words = [
    ...(failed ? [t('doctor.summary.failed', { count: failed })] : []),
    ...(unknown ? [t('doctor.summary.unknown', { count: unknown })] : []),
  ];
  return (
    <p className={classes.summary}>
      <StatusDot tone={failed ? 'bad' : unknown ? 'idle' : 'good'}>
        {words.length ? words.join(', ') : t('doctor.summary.ok')}
      </StatusDot>
    </p>
  );
}
