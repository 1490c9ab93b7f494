import { Button, Modal } from '@mantine/core';
import type { OnlineSession } from '@portico/contract/sessions.ts';
import { IconBan, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnlineUsers } from '#features/dashboard/dashboard.api.ts';
import { DialogFilterForm, noFilter } from '#features/dashboard/dialog-filter.tsx';
import classes from '#features/dashboard/dialogs.module.css';
import { DeviceLink, OnlineGuest, useBlock, useDeviceChoices, useEndSession } from '#features/sessions/public.ts';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { IpAddresses } from '#ui/ip-addresses.tsx';
import { ListTable } from '#ui/list-page.tsx';
import modal from '#ui/modal.module.css';
import { RelativeTime } from '#ui/relative-time.tsx';

const isEnding = ({ kick }: OnlineSession) =>
  kick?.kind === 'end' && (kick.state === 'requested' || kick.state === 'acknowledged');

export function OnlineDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['sessions', 'dashboard', 'common']);
  const can = useCan();
  const devices = useDeviceChoices();
  const [filter, setFilter] = useState(noFilter);
  const [search] = useListSearch();
  const online = useOnlineUsers(search, filter);
  const kick = useEndSession();
  const { block, isPending: isBlocking } = useBlock();

  const name = (row: OnlineSession) => row.name ?? row.client_mac ?? t('unknown');
  const columns: Column<OnlineSession>[] = [
    { key: 'guest', label: t('guest'), cell: row => <OnlineGuest session={row} /> },
    { key: 'mac', label: t('mac'), nowrap: true, cell: row => row.client_mac ?? '–' },
    { key: 'ip', label: t('ip'), nowrap: true, cell: row => <IpAddresses ipv4={row.client_ip} ipv6={row.ipv6} /> },
    {
      key: 'since',
      label: t('since'),
      nowrap: true,
      cell: row => <RelativeTime time={row.session_start_time} />,
    },
    {
      key: 'device',
      label: t('device'),
      cell: row => <DeviceLink session={row} />,
    },
    {
      key: 'do',
      label: t('common:list.actions'),
      cell: row => (
        <span className={classes.actions}>
          {can('update-clients') && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlugConnectedX size={14} />}
              disabled={isEnding(row)}
              aria-label={`${t('end')}: ${name(row)}`}
              {...(row.endable
                ? { onClick: () => kick.mutate(row) }
                : {
                    ...{ 'aria-disabled': true, 'data-disabled': true, title: t('unendable.one') },
                    'aria-describedby': `unendable-${row.rhid}`,
                  })}
            >
              {t('end')}
            </Button>
          )}
          {can('update-devices') && row.client_mac && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconBan size={14} />}
              aria-label={`${t('block')}: ${name(row)}`}
              disabled={isBlocking}
              onClick={() => block(row)}
            >
              {t('dashboard:block')}
            </Button>
          )}
          {can('update-clients') && !row.endable && (
            <small id={`unendable-${row.rhid}`} className={classes.reason}>
              {t('unendable.short')}
            </small>
          )}
        </span>
      ),
    },
  ];
  const filtered = Boolean(filter.mac || filter.ip) || filter.devices.length > 0;

  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={
          <>
            {t('online')} {online.data && <span className={classes.count}>{formatNumber(online.data.meta.total)}</span>}
          </>
        }
        size={1180}
        classNames={{ ...modal, body: `${modal.body} ${classes.body}` }}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <DialogFilterForm devices={devices} onFilter={setFilter} />
        <ListTable
          label={t('online')}
          query={online}
          columns={can('update-clients') || can('update-devices') ? columns : columns.slice(0, -1)}
          rowKey={row => row.rhid}
          rowName={name}
          onPage={page => setFilter({ ...filter, page })}
          filtered={filtered}
          empty={{ drawing: 'waves', title: t('onlineEmptyTitle'), text: t('onlineEmptyText') }}
        />
        <p className={classes.more}>
          <Link to="/online">{t('dashboard:openOnline')}</Link>
        </p>
      </Modal>
    </>
  );
}
