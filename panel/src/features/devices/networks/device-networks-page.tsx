import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { Network } from '@portico/contract/networks.ts';
import { useTranslation } from 'react-i18next';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { useDeleteNetwork, useNetworks } from '#features/devices/networks/networks.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';

const NetworkFormModal = lazyPart(() => import('#features/devices/networks/network-form.tsx'), 'NetworkFormModal');

export const DeviceNetworksPage = () => <DeviceScreen>{device => <Networks device={device} />}</DeviceScreen>;

function Networks({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'common']);
  const mayChange = useCan()('update-devices');
  const [search] = useListSearch();
  const networks = useNetworks(device.id, search);
  const remove = useDeleteNetwork(device.id);
  const list = useListPage<Network>();
  const edit = mayChange ? list.edit : undefined;
  const add = mayChange && <AddButton label={t('network.add')} onClick={list.add} />;
  const columns: Column<Network>[] = [
    { key: 'name', label: t('name'), cell: row => <RowName name={row.name} onOpen={edit && (() => edit(row))} /> },
    {
      key: 'address',
      label: t('network.address'),
      nowrap: true,
      cell: row => `${row.start_ip}/${row.subnet}`,
      onPhone: true,
    },
    {
      key: 'portal',
      label: t('network.portal'),
      cell: row => row.portal?.name ?? t('network.locationPortal'),
      onPhone: 'labelled',
    },
    {
      key: 'profile',
      label: t('network.profile'),
      cell: row => row.profile?.name ?? t('network.locationProfile'),
      onPhone: 'labelled',
    },
    { key: 'created', label: t('addedAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'lg' },
  ];
  return (
    <section className={classes.list}>
      <div className={classes.listHead}>
        <p>{t('network.help')}</p>
        {networks.data?.meta.total ? add : null}
      </div>
      <ListTable
        list={list}
        label={t('network.title')}
        query={networks}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={edit}
        rowActions={mayChange && (row => [list.editAction(row), list.deleteAction(row)])}
        empty={{ drawing: 'waves', title: t('network.emptyTitle'), text: t('network.emptyText'), action: add }}
        form={(network, close) => <NetworkFormModal device={device} network={network} onClose={close} />}
        deletion={{ mutation: remove, title: t('network.confirmDelete') }}
      />
    </section>
  );
}
