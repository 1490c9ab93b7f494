import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { Network } from '@portico/contract/networks.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { useDeleteNetwork, useNetworks } from '#features/devices/networks/networks.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { RowName } from '#ui/row-name.tsx';

const NetworkFormModal = lazyPart(() => import('#features/devices/networks/network-form.tsx'), 'NetworkFormModal');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

export const DeviceNetworksPage = () => <DeviceScreen>{device => <Networks device={device} />}</DeviceScreen>;

function Networks({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'common']);
  const mayChange = useCan()('update-devices');
  const [search] = useListSearch();
  const networks = useNetworks(device.id, search);
  const remove = useDeleteNetwork(device.id);
  const [editing, setEditing] = useState<Network | 'new'>();
  const [deleting, setDeleting] = useState<Network>();
  const edit = mayChange ? setEditing : undefined;
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t('network.add')}
    </Button>
  );
  const columns: Column<Network>[] = [
    { key: 'name', label: t('name'), cell: row => <RowName name={row.name} onOpen={edit && (() => edit(row))} /> },
    { key: 'address', label: t('network.address'), nowrap: true, cell: row => `${row.start_ip}/${row.subnet}` },
    { key: 'portal', label: t('network.portal'), cell: row => row.portal?.name ?? t('network.locationPortal') },
    { key: 'profile', label: t('network.profile'), cell: row => row.profile?.name ?? t('network.locationProfile') },
    { key: 'created', label: t('addedAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'lg' },
  ];
  return (
    <section className={classes.list}>
      <div className={classes.listHead}>
        <p>{t('network.help')}</p>
        {networks.data?.meta.total ? add : null}
      </div>
      <DataTable
        label={t('network.title')}
        query={networks}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={edit}
        rowActions={
          mayChange
            ? row => [
                { label: t('common:edit'), icon: IconPencil, onClick: () => setEditing(row) },
                { label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true },
              ]
            : undefined
        }
        empty={
          <EmptyState drawing="waves" title={t('network.emptyTitle')} text={t('network.emptyText')}>
            {add}
          </EmptyState>
        }
      />
      {editing && (
        <NetworkFormModal
          device={device}
          network={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          title={t('network.confirmDelete')}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}
