import { Button } from '@mantine/core';
import type { Device } from '@portico/contract/devices.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFilteredDevices } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { formatRelative } from '#lib/format.ts';
import type { ListSearch } from '#lib/search.ts';
import { Notice } from '#ui/notice.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

/** The number of devices that are named. */
const maxNames = 3;

/**
 * Whether the devices work: those that are offline, or have never connected, with a way to them. `waiting`: shows only the
 * latter, which are a warning, and has its place below what has stopped.
 */
export function DeviceNotice({ waiting = false, search }: { waiting?: boolean; search: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const rows = useFilteredDevices(search).data?.data;
  if (!rows?.length) return null;
  const silent = rows.filter(row => row.status !== 'online');
  const lost = silent.filter(row => row.last_seen_at !== null);
  if (waiting === (lost.length > 0 || !silent.length)) return null;
  if (!silent.length)
    return (
      <p className={classes.health}>
        <StatusDot tone="good">{t('health.allOnline', { count: rows.length })}</StatusDot>
      </p>
    );
  const shown = lost.length ? lost : silent;
  const [tone, kind] = lost.length ? (['bad', 'offline'] as const) : (['warn', 'waiting'] as const);
  return (
    <Notice
      tone={tone}
      title={t(`health.${kind}`, { count: shown.length, name: shown[0]?.name })}
      action={<ToDevices devices={shown} />}
    >
      {t(`health.${kind}Text`)} {(lost.length > 0 || shown.length > 1) && namesOf(shown)}
    </Notice>
  );
}

/** `Lobby (3 hours ago), Pool (yesterday) …` */
function namesOf(devices: readonly Device[]): string {
  const now = Date.now();
  const names = devices
    .slice(0, maxNames)
    .map(({ name, last_seen_at: seen }) => (seen ? `${name} (${formatRelative(seen, now)})` : name));
  return `${names.join(', ')}${devices.length > maxNames ? ' …' : ''}`;
}

function ToDevices({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation('dashboard');
  const [only] = devices;
  const to =
    only && devices.length === 1
      ? ({ to: '/devices/$deviceId', params: { deviceId: only.id } } as const)
      : ({ to: '/devices', search: { status: 'offline' } } as const);
  return (
    <Button size="xs" variant="default" renderRoot={props => <Link {...to} {...props} />}>
      {t('health.show', { count: devices.length })}
    </Button>
  );
}
