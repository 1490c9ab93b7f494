import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsHeader } from '#features/tenants/settings-header.tsx';
import { useDeleteDomain, useDomains } from '#features/tenants/tenants.api.ts';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';

const DomainForm = lazyPart(() => import('#features/tenants/domain-form.tsx'), 'DomainForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

type Domain = NonNullable<ReturnType<typeof useDomains>['data']>['data'][number];

/** The host names under which the tenant's panel answers. */
export function DomainsPage() {
  const { t } = useTranslation(['tenants', 'common']);
  const mayChange = useCan()('tenant-admin');
  const domains = useDomains();
  const remove = useDeleteDomain();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Domain>();

  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('domain.add')}
    </Button>
  );
  const columns: Column<Domain>[] = [
    { key: 'host', label: t('domain.host'), cell: row => row.host },
    { key: 'variant', label: t('domain.variant'), cell: row => t(`domain.${row.variant}`) },
    { key: 'created', label: t('domain.createdAt'), nowrap: true, cell: row => formatDate(row.created_at) },
  ];
  return (
    <>
      <SettingsHeader />
      <FilterBar>{add}</FilterBar>
      <DataTable
        label={t('domains')}
        query={{ ...domains, data: domains.data && { data: domains.data.data } }}
        columns={columns}
        rowKey={row => row.host}
        rowName={row => row.host}
        rowActions={
          mayChange
            ? row => [{ label: t('common:delete'), icon: IconTrash, onClick: () => setRemoving(row), danger: true }]
            : undefined
        }
        empty={
          <EmptyState drawing="page" title={t('domain.emptyTitle')} text={t('domain.emptyText')}>
            {add}
          </EmptyState>
        }
      />
      {adding && <DomainForm onClose={() => setAdding(false)} />}
      {removing && (
        <ConfirmDelete
          name={removing.host}
          text={t('domain.deleteText', { host: removing.host })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing.host, { onSuccess: () => setRemoving(undefined) })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
