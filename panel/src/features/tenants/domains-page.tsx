import type { Domain } from '@portico/contract/tenants.ts';
import { IconWorldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SettingsHeader } from '#features/tenants/settings-header.tsx';
import { useDeleteDomain, useDomains } from '#features/tenants/tenants.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, onOnePage, useListPage } from '#ui/list-page.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const DomainProof = lazyPart(() => import('#features/tenants/domain-proof.tsx'), 'DomainProof');
const DomainForm = lazyPart(() => import('#features/tenants/domain-form.tsx'), 'DomainForm');

/** The host names that serve the tenant's panel. */
export function DomainsPage() {
  const { t } = useTranslation(['tenants', 'common']);
  const mayChange = useCan()('tenant-admin');
  const domains = useDomains();
  const remove = useDeleteDomain();
  const list = useListPage<Domain>();
  const add = mayChange && <AddButton label={t('domain.add')} onClick={list.add} />;
  const columns: Column<Domain>[] = [
    { key: 'host', label: t('domain.host'), cell: row => row.host },
    { key: 'variant', label: t('domain.variant'), cell: row => t(`domain.${row.variant}`), onPhone: true },
    {
      key: 'status',
      onPhone: true,
      label: t('domain.status'),
      cell: row => (
        <StatusDot tone={row.verified_at && !row.stops_at ? 'good' : 'warn'}>
          {row.stops_at
            ? t('domain.missing', { day: formatDate(row.stops_at) })
            : t(row.verified_at ? 'domain.serving' : 'domain.waiting')}
        </StatusDot>
      ),
    },
    { key: 'created', label: t('domain.createdAt'), nowrap: true, cell: row => formatDate(row.created_at) },
  ];
  return (
    <>
      <SettingsHeader />
      <FilterBar>{add}</FilterBar>
      <ListTable
        list={list}
        label={t('domains')}
        query={onOnePage(domains)}
        columns={columns}
        rowKey={row => row.host}
        rowName={row => row.host}
        rowActions={
          mayChange &&
          (row => [
            { label: t('domain.proof'), icon: IconWorldCheck, onClick: () => list.edit(row) },
            list.deleteAction(row),
          ])
        }
        empty={{ drawing: 'page', title: t('domain.emptyTitle'), text: t('domain.emptyText'), action: add }}
        form={(row, close) =>
          row ? <DomainProof domain={row} onClose={close} /> : <DomainForm onCreated={list.edit} onClose={close} />
        }
        deletion={{ mutation: remove, text: ({ host }) => t('domain.deleteText', { host }) }}
      />
    </>
  );
}
