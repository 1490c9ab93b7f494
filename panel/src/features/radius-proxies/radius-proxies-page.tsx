import type { RadiusProxyRow } from '@portico/contract/radius-proxies.ts';
import { IconBan, IconCertificate, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteRadiusProxy, useLocations, useRadiusProxies } from '#features/radius-proxies/radius-proxies.api.ts';
import { SettingsHeader } from '#features/tenants/public.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const dialogs = () => import('#features/radius-proxies/radius-proxy-dialogs.tsx');
const RadiusProxyForm = lazyPart(dialogs, 'RadiusProxyForm');
const ProxySecret = lazyPart(dialogs, 'ProxySecret');
const ProxyCertificate = lazyPart(dialogs, 'ProxyCertificate');
const ProxyRevoke = lazyPart(dialogs, 'ProxyRevoke');

type Asking = { kind: 'secret' | 'certificate' | 'revoke'; proxy: RadiusProxyRow } | undefined;
const parts = { secret: ProxySecret, certificate: ProxyCertificate, revoke: ProxyRevoke };

/** RADIUS proxies that may speak for devices of the tenant. */
export function RadiusProxiesPage() {
  const { t } = useTranslation(['radius-proxies', 'common']);
  const mayChange = useCan()('tenant-admin');
  const [search] = useListSearch();
  const proxies = useRadiusProxies(search);
  const locations = useLocations();
  const remove = useDeleteRadiusProxy();
  const list = useListPage<RadiusProxyRow>();
  const [asking, setAsking] = useState<Asking>();
  const Part = asking && parts[asking.kind];
  const nameOf = (id: string) => locations?.find(it => it.id === id)?.name;
  const add = mayChange && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<RadiusProxyRow>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName name={row.name} onOpen={mayChange ? () => list.edit(row) : undefined}>
          {!row.require_message_authenticator && <Tag tone="warn">{t('unsigned')}</Tag>}
        </RowName>
      ),
    },
    { key: 'address', label: t('address'), nowrap: true, cell: row => row.address ?? t('none'), onPhone: true },
    {
      key: 'certificate',
      onPhone: 'labelled',
      label: t('certificate'),
      nowrap: true,
      from: 'md',
      cell: row => (row.certificate ? t('until', { day: formatDate(row.certificate.expires_at) }) : t('none')),
    },
    {
      key: 'locations',
      label: t('locations'),
      from: 'lg',
      cell: row => (row.location_ids ? row.location_ids.map(nameOf).filter(Boolean).join(', ') : t('all')),
    },
    {
      key: 'seen',
      onPhone: 'labelled',
      label: t('lastSeen'),
      nowrap: true,
      cell: row => (row.last_seen_at ? <RelativeTime time={row.last_seen_at} /> : t('never')),
    },
  ];
  return (
    <>
      <SettingsHeader />
      <FilterBar>{add}</FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={proxies}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={mayChange ? list.edit : undefined}
        rowActions={
          mayChange &&
          (row => [
            list.editAction(row),
            { label: t('renew'), icon: IconKey, onClick: () => setAsking({ kind: 'secret', proxy: row }) },
            { label: t('issue'), icon: IconCertificate, onClick: () => setAsking({ kind: 'certificate', proxy: row }) },
            row.certificate !== null && {
              ...{ label: t('revoke'), icon: IconBan, danger: true },
              onClick: () => setAsking({ kind: 'revoke', proxy: row }),
            },
            list.deleteAction(row),
          ])
        }
        empty={{ drawing: 'router', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(proxy, close) => <RadiusProxyForm proxy={proxy} onClose={close} />}
        deletion={{ mutation: remove, text: ({ name }) => t('deleteText', { name }) }}
      />
      {asking && Part && <Part proxy={asking.proxy} onClose={() => setAsking(undefined)} />}
    </>
  );
}
