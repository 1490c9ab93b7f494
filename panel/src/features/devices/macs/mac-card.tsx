import type { DeviceDetail } from '@portico/contract/devices.ts';
import { formatMac } from '@portico/contract/mac.ts';
import type { MacRule } from '@portico/contract/networks.ts';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/devices.module.css';
import { maxMacs, useAllNetworks, useDeleteMac, useMacs } from '#features/devices/networks/networks.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, onOnePage, useListPage } from '#ui/list-page.tsx';

const MacForm = lazyPart(() => import('#features/devices/macs/mac-form.tsx'), 'MacForm');

/** The allowed or the blocked MAC addresses. Each card has its own filter in the URL. */
export function MacCard({ device, type }: { device: DeviceDetail; type: MacRule['type'] }) {
  const { t } = useTranslation(['devices', 'common']);
  const mayChange = useCan()('update-devices');
  const [search] = useListSearch();
  const filter = search[type];
  const macs = useMacs(device.id, { type, mac: filter });
  const networks = useAllNetworks(device.id).data?.data ?? [];
  const remove = useDeleteMac(device.id);
  const list = useListPage<MacRule>();
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
    { key: 'comment', label: t('macs.comment'), cell: rule => rule.comment || '–', onPhone: true },
    { key: 'networks', label: t('macs.networks'), cell: where, from: 'lg' },
    {
      key: 'created',
      label: t('addedAt'),
      nowrap: true,
      cell: rule => formatDate(rule.created_at),
      from: 'lg',
      onPhone: true,
    },
  ];
  const add = mayChange && <AddButton label={t('common:add')} variant="default" onClick={list.add} />;
  return (
    <section className={classes.list} aria-labelledby={type}>
      <h2 id={type}>
        {t(`macs.${type}.title`)} {macs.data && <small>{formatNumber(total)}</small>}
      </h2>
      <p className={classes.help}>{t(`macs.${type}.help`)}</p>
      <FilterBar search={{ key: type, placeholder: t('macs.filter'), format: formatMac }}>{add}</FilterBar>
      <ListTable
        list={list}
        label={t(`macs.${type}.title`)}
        // Both cards are on one page, so neither is paginated.
        query={onOnePage(macs)}
        columns={columns}
        rowKey={rule => rule.id}
        rowName={rule => rule.mac}
        rowActions={
          mayChange &&
          (rule => [{ label: t('common:delete'), icon: IconTrash, danger: true, onClick: () => remove.mutate(rule) }])
        }
        filtered={[type]}
        empty={{
          drawing: type === 'blocked' ? 'closed' : 'people',
          title: t(`macs.${type}.emptyTitle`),
          text: t(`macs.${type}.emptyText`),
        }}
        form={(_, close) => <MacForm device={device} type={type} networks={networks} onClose={close} />}
      />
      {total > maxMacs && (
        <p className={classes.help}>{t('macs.more', { shown: formatNumber(maxMacs), total: formatNumber(total) })}</p>
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
