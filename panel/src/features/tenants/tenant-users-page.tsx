import { Button } from '@mantine/core';
import type { TenantUser } from '@portico/contract/tenants.ts';
import { IconPencil, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsHeader } from '#features/tenants/settings-header.tsx';
import { useDeleteTenantUser, useTenantUsers } from '#features/tenants/tenants.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { RowName } from '#ui/row-name.tsx';
import { StatusDot } from '#ui/status-dot.tsx';
import { Tag } from '#ui/tag.tsx';

const TenantUserForm = lazyPart(() => import('#features/tenants/tenant-user-form.tsx'), 'TenantUserForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** Tenant administrators, resellers and auditors. */
export function TenantUsersPage() {
  const { t } = useTranslation(['tenants', 'common']);
  const mayChange = useCan()('tenant-admin');
  const me = useUser();
  const [search] = useListSearch();
  const users = useTenantUsers(search);
  const remove = useDeleteTenantUser();
  const [editing, setEditing] = useState<TenantUser | 'new'>();
  const [removing, setRemoving] = useState<TenantUser>();

  const add = mayChange && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setEditing('new')}>
      {t('user.add')}
    </Button>
  );
  const columns: Column<TenantUser>[] = [
    {
      key: 'name',
      label: t('user.name'),
      cell: row => (
        <RowName name={row.full_name || row.email} onOpen={mayChange ? () => setEditing(row) : undefined}>
          {row.id === me.id && <Tag tone="accent">{t('user.you')}</Tag>}
        </RowName>
      ),
    },
    { key: 'email', label: t('user.email'), cell: row => row.email },
    { key: 'role', label: t('user.role'), cell: row => t(`role.${row.role}`) },
    {
      key: 'second',
      label: t('user.secondFactor'),
      cell: row => (
        <StatusDot tone={row.two_factor ? 'good' : 'idle'}>{t(row.two_factor ? 'user.on' : 'user.off')}</StatusDot>
      ),
      from: 'md',
    },
    {
      key: 'locations',
      label: t('user.locations'),
      cell: row => formatNumber(row.locations),
      numeric: true,
      from: 'lg',
    },
    { key: 'created', label: t('user.createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'md' },
  ];

  return (
    <>
      <SettingsHeader />
      <FilterBar search={{ key: 'search', placeholder: t('user.search') }}>{add}</FilterBar>
      <DataTable
        label={t('users')}
        query={users}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.full_name || row.email}
        onRowClick={mayChange ? setEditing : undefined}
        rowActions={
          mayChange
            ? row => [
                { label: t('common:edit'), icon: IconPencil, onClick: () => setEditing(row) },
                ...(row.id === me.id
                  ? []
                  : [{ label: t('user.revoke'), icon: IconUserMinus, onClick: () => setRemoving(row), danger: true }]),
              ]
            : undefined
        }
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="people" title={t('user.emptyTitle')} text={t('user.emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {editing && (
        <TenantUserForm user={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {removing && (
        <ConfirmDelete
          name={removing.full_name}
          title={t('user.revokeTitle')}
          text={t('user.revokeText', { name: removing.full_name || removing.email })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing, { onSuccess: () => setRemoving(undefined) })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
