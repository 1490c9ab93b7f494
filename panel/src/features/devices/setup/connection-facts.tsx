import { ActionIcon } from '@mantine/core';
import { hasSecret, sendsLogsOverTls, usesRadius } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/devices.module.css';
import { type Fact, Facts } from '#ui/facts.tsx';

/** The values to enter on the router, each with a copy button. Some brands do not use RADIUS. */
export function ConnectionFacts({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const { host, auth_port, acct_port, coa_port } = device.radius;
  const name: Fact[] = device.serial_number
    ? [{ label: t('serial'), value: device.serial_number, copy: device.serial_number, code: true }]
    : hasSecret(device.brand.slug)
      ? [{ label: t('nas'), value: device.nas_identifier, copy: device.nas_identifier, code: true }]
      : [];
  const radius: Fact[] = !usesRadius(device.brand.slug)
    ? []
    : [
        { label: t('radiusHost'), value: host, copy: host, code: true },
        { label: t('authPort'), value: String(auth_port), copy: String(auth_port), code: true },
        { label: t('acctPort'), value: String(acct_port), copy: String(acct_port), code: true },
        { label: t('coaPort'), value: String(coa_port), copy: String(coa_port), code: true },
      ];
  const facts: Fact[] = [
    ...name,
    ...radius,
    ...(device.secret && (device.serial_number || usesRadius(device.brand.slug))
      ? [{ label: t('secret'), value: <Secret value={device.secret} />, copy: device.secret }]
      : []),
    { label: t('portalUrl'), value: device.portal_url, copy: device.portal_url, code: true },
    ...syslogOf(device).map(({ label, server }) => ({ label: t(label), value: server, copy: server, code: true })),
  ];
  return <Facts facts={facts} />;
}

/** Where the router sends its log lines. TLS comes first where it can: only that proves who sent them. */
function syslogOf({ brand, syslog: { host, port, tls_port } }: DeviceDetail) {
  const plain = { label: 'syslog', server: `${host}:${port}` } as const;
  if (tls_port === null || !sendsLogsOverTls(brand.slug)) return [plain];
  return [{ label: 'syslogTls', server: `${host}:${tls_port}` } as const, plain];
}

function Secret({ value }: { value: string }) {
  const { t } = useTranslation('devices');
  const [shown, setShown] = useState(false);
  const label = t(shown ? 'hideSecret' : 'showSecret');
  return (
    <span className={classes.name}>
      <span className={classes.secret}>{shown ? value : '•'.repeat(16)}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        onClick={() => setShown(!shown)}
        aria-label={label}
        title={label}
      >
        {shown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
      </ActionIcon>
    </span>
  );
}
