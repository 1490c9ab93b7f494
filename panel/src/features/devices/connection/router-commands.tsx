import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { RouterCommand } from '@portico/contract/router-control.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCommands, useRetryCommand } from '#features/devices/connection/router-control.api.ts';
import classes from '#features/devices/devices.module.css';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { Nothing } from '#ui/panel.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const tones: Record<RouterCommand['state'], Tone> = {
  queued: 'busy',
  sent: 'busy',
  done: 'good',
  failed: 'bad',
  replaced: 'idle',
};

/** The latest commands to a router, with their status and the router's answer. */
export function RouterCommands({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const mayChange = useCan()('update-devices');
  const [search] = useListSearch();
  const commands = useCommands(device.id, search);
  const retry = useRetryCommand(device.id);
  const nameOf = ({ action, mac }: RouterCommand) => t(`control.actions.${action}`, { mac: mac ?? '' });
  const wordsOf = ({ state, words, driver }: RouterCommand) =>
    words || (state === 'failed' && driver === 'poll' ? t('control.noWords') : '–');
  const columns: Column<RouterCommand>[] = [
    { key: 'action', label: t('control.command'), nowrap: true, cell: nameOf },
    {
      key: 'state',
      onPhone: true,
      label: t('control.state'),
      nowrap: true,
      cell: row => (
        <span role="status">
          <StatusDot tone={tones[row.state]}>{t(`control.states.${row.state}`)}</StatusDot>
        </span>
      ),
    },
    {
      key: 'words',
      onPhone: true,
      label: t('control.words'),
      cell: row => (
        <span className={classes.words}>
          {wordsOf(row)}
          {row.next_at && (
            <small>
              {t('control.next', { count: row.attempts })} <RelativeTime time={row.next_at} />
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'driver',
      label: t('control.way'),
      nowrap: true,
      from: 'lg',
      cell: row => (row.driver ? t(`control.ways.${row.driver}`) : '–'),
    },
    {
      key: 'when',
      onPhone: true,
      label: t('control.when'),
      nowrap: true,
      cell: row => <RelativeTime time={row.answered_at ?? row.sent_at ?? row.created_at} />,
    },
  ];
  return (
    <DataTable
      label={t('control.commands')}
      query={commands}
      columns={columns}
      rowKey={row => row.id}
      rowName={nameOf}
      rowActions={
        mayChange
          ? row =>
              row.next_at || (row.state === 'failed' && row.action !== 'logout')
                ? [{ label: t('control.retry'), icon: IconRefresh, onClick: () => retry.mutate(row) }]
                : []
          : undefined
      }
      empty={<Nothing>{t('control.nothing')}</Nothing>}
    />
  );
}
