import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { formatMac } from '@portico/contract/mac.ts';
import type { MacRule } from '@portico/contract/networks.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/devices.module.css';
import { maxMacs, useAllNetworks, useDeleteMac, useMacs } from '#features/devices/networks/networks.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';

const MacForm = lazyPart(() => import('#features/devices/macs/mac-form.tsx'), 'MacForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** The allowed or the blocked MAC addresses. Each card has its own filter in the URL. */
export function MacCard({ device, type }: { device: DeviceDetail; type: MacRule['type'] }) {
  const { t } = useTranslation(['devices', 'common']);
  const mayChange = useCan()('update-devices');
  const [search] = useListSearch();
  const filter = search[type];
  const macs = useMacs(device.id, { type, mac: filter });
  const networks = useAllNetworks(device.id).data?.data ?? [];
  const remove = useDeleteMac(device.id);
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<MacRule>();
  const total = macs.data?.meta.total ?? 0;
  const where = (rule: MacRule) =>
    rule.networks.length === 0
      ? t('macs.everywhere')
      : networks
          .filter(({ id }) => rule.networks.includes(id))
          .map(({ name }) => name)
          .join(', ') || '–';
  const columns: Column<MacRule>[] = [
    { key: 'mac', label: t('mac'), nowrap: true, cell: rule => <Address rule={rule} /> },
    { key: 'comment', label: t('macs.comment'), cell: rule => rule.comment || '–' },
    { key: 'networks', label: t('macs.networks'), cell: where, from: 'lg' },
    { key: 'created', label: t('addedAt'), nowrap: true, cell: rule => formatDate(rule.created_at), from: 'lg' },
  ];
  const add = mayChange && (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('common:add')}
    </Button>
  );
  return (
    <section className={classes.list} aria-labelledby={type}>
      <h2 id={type}>
        {t(`macs.${type}.title`)} {macs.data && <small>{formatNumber(total)}</small>}
      </h2>
      <p className={classes.help}>{t(`macs.${type}.help`)}</p>
      <FilterBar search={{ key: type, placeholder: t('macs.filter'), format: formatMac }}>{add}</FilterBar>
      <DataTable
        label={t(`macs.${type}.title`)}
        // Both cards are on one page, so neither is paginated.
        query={{ ...macs, data: macs.data && { data: macs.data.data } }}
        columns={columns}
        rowKey={rule => rule.id}
        rowName={rule => rule.mac}
        rowActions={
          mayChange
            ? rule => [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(rule), danger: true }]
            : undefined
        }
        empty={
          filter ? (
            <NoMatch />
          ) : (
            <EmptyState
              drawing={type === 'blocked' ? 'closed' : 'people'}
              title={t(`macs.${type}.emptyTitle`)}
              text={t(`macs.${type}.emptyText`)}
            />
          )
        }
      />
      {total > maxMacs && (
        <p className={classes.help}>{t('macs.more', { shown: formatNumber(maxMacs), total: formatNumber(total) })}</p>
      )}
      {adding && <MacForm device={device} type={type} networks={networks} onClose={() => setAdding(false)} />}
      {deleting && (
        <ConfirmDelete
          name={formatMac(deleting.mac)}
          text={t('macs.deleteText', { mac: deleting.mac })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}

const Address = ({ rule: { mac, vendor } }: { rule: MacRule }) => (
  <>
    {mac}
    {vendor && (
      <small className={classes.vendor} title={vendor}>
        {vendor}
      </small>
    )}
  </>
);
