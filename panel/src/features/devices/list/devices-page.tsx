import type { Device } from '@portico/contract/devices.ts';
import { deviceOrders } from '@portico/contract/list-orders.ts';
import type { UnknownDevice } from '@portico/contract/unknown-devices.ts';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import { loadDevices, useBrands, useDeleteDevice, useDevices } from '#features/devices/devices.api.ts';
import classes from '#features/devices/devices.module.css';
import { UnknownDevices } from '#features/devices/unknown-devices.tsx';
import { api } from '#lib/api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { matchingOf, useSelection } from '#ui/selection.ts';
import { useSorting } from '#ui/sorting.ts';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

const SelectedDevices = lazyPart(() => import('#features/devices/list/selected-devices.tsx'), 'SelectedDevices');
const DeviceWizard = lazyPart(() => import('#features/devices/setup/device-wizard.tsx'), 'DeviceWizard');

export function DevicesPage() {
  const { t } = useTranslation(['devices', 'common']);
  const can = useCan();
  const { locations } = useUser();
  const several = locations.length > 1;
  const brands = useBrands().data?.data ?? [];
  const navigate = useNavigate();
  const [search] = useListSearch();
  const sorting = useSorting(deviceOrders, { by: 'created', order: 'desc' });
  const devices = useDevices(search, sorting);
  const remove = useDeleteDevice();
  const list = useListPage<Device>();
  const layout = useTableLayout('devices');
  const selection = useSelection((it: Device) => it.id);
  const [found, setFound] = useState<UnknownDevice>();
  useLive('devices', api.devices.list);
  useLive('device-seen', api.devices.list);

  const open = ({ id }: Device) => void navigate({ to: '/devices/$deviceId', params: { deviceId: id } });
  const edit = ({ id }: Device) => void navigate({ to: '/devices/$deviceId/edit', params: { deviceId: id } });
  const add = can('store-devices') && <AddButton label={t('add')} onClick={list.add} />;
  const columns = useMemo<Column<Device>[]>(
    () => [
      {
        key: 'name',
        label: t('name'),
        sort: { by: 'name', first: 'asc' },
        cell: row => (
          <span className={classes.name}>
            <BrandLogo brand={row.brand} />
            <Link to="/devices/$deviceId" params={{ deviceId: row.id }}>
              {row.name}
            </Link>
          </span>
        ),
      },
      { key: 'status', label: t('status'), cell: row => <DeviceStatus device={row} />, onPhone: true },
      {
        key: 'seen',
        label: t('lastSeen'),
        // Devices that have been silent longest come first.
        sort: { by: 'seen', first: 'asc' },
        nowrap: true,
        cell: row => (row.last_seen_at ? <RelativeTime time={row.last_seen_at} /> : t('never')),
        onPhone: 'labelled',
      },
      { key: 'mac', label: t('address'), nowrap: true, cell: row => row.serial_number ?? row.mac_address, from: 'md' },
      { key: 'nas', label: t('nas'), nowrap: true, cell: row => <code>{row.nas_identifier}</code>, from: 'lg' },
      ...(several
        ? [{ key: 'location', label: t('location'), cell: (row: Device) => row.location.name, onPhone: true }]
        : []),
    ],
    [t, several],
  );

  return (
    <>
      <PageHeader title={t('title')} count={devices.data?.meta.total}>
        {add}
      </PageHeader>
      {can('store-devices') && (
        <UnknownDevices
          onAdd={router => {
            setFound(router);
            list.add();
          }}
        />
      )}
      <FilterBar
        search={{ key: 'search', placeholder: t('search') }}
        filters={[
          {
            key: 'brand',
            label: t('brand'),
            kind: 'options',
            single: true,
            options: brands.map(({ slug, name }) => ({ value: slug, label: name })),
          },
          {
            key: 'status',
            label: t('status'),
            kind: 'options',
            single: true,
            options: [
              { value: 'online', label: t('online') },
              { value: 'offline', label: t('offline') },
            ],
          },
          {
            key: 'location',
            label: t('location'),
            kind: 'options',
            options: locations.map(({ id, name }) => ({ value: id, label: name })),
            offered: several,
          },
        ]}
      >
        <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
      </FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={devices}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={open}
        sorting={sorting}
        layout={layout}
        selection={can('update-devices') || can('delete-devices') ? selection : undefined}
        rowActions={row => [
          { label: t('open'), icon: IconInfoCircle, onClick: () => open(row) },
          can('update-devices') && list.editAction(row, edit),
          can('delete-devices') && list.deleteAction(row),
        ]}
        filtered={['search', 'status', 'brand', 'location']}
        empty={{ drawing: 'router', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(_, close) => (
          <DeviceWizard
            {...(found && { found })}
            onClose={() => {
              setFound(undefined);
              close();
            }}
          />
        )}
        deletion={{ mutation: remove, title: t('confirmDelete'), text: row => t('deleteText', { name: row.name }) }}
      />
      {selection.rows.size > 0 && (
        <SelectedDevices
          selection={selection}
          matching={matchingOf(devices, most => loadDevices(search, sorting, most))}
        />
      )}
    </>
  );
}
