import type { TenantUser } from '@portico/contract/tenants.ts';
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SettingsHeader } from '#features/tenants/settings-header.tsx';
import { useDeleteTenantUser, useTenantUsers } from '#features/tenants/tenants.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import type { Column } from '#ui/data-table.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';
import { StatusDot } from '#ui/status-dot.tsx';
import { Tag } from '#ui/tag.tsx';

const TenantUserForm = lazyPart(() => import('#features/tenants/tenant-user-form.tsx'), 'TenantUserForm');

const nameOf = (row: TenantUser) => row.full_name || row.email;

/** Tenant administrators, resellers and auditors. */
export function TenantUsersPage() {
  const { t } = useTranslation(['tenants', 'common']);
  const mayChange = useCan()('tenant-admin');
  const me = useUser();
  const [search] = useListSearch();
  const users = useTenantUsers(search);
  const remove = useDeleteTenantUser();
  const list = useListPage<TenantUser>();
  const add = mayChange && <AddButton label={t('user.add')} icon={IconUserPlus} onClick={list.add} />;
  const columns: Column<TenantUser>[] = [
    {
      key: 'name',
      label: t('user.name'),
      cell: row => (
        <RowName name={nameOf(row)} onOpen={mayChange ? () => list.edit(row) : undefined}>
          {row.id === me.id && <Tag tone="accent">{t('user.you')}</Tag>}
        </RowName>
      ),
    },
    { key: 'email', label: t('user.email'), cell: row => <EmailText email={row.email} />, onPhone: true },
    { key: 'role', label: t('user.role'), cell: row => t(`role.${row.role}`), onPhone: true },
    {
      key: 'second',
      onPhone: 'labelled',
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
      <ListTable
        list={list}
        label={t('users')}
        query={users}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={mayChange ? list.edit : undefined}
        rowActions={
          mayChange &&
          (row => [
            list.editAction(row),
            row.id !== me.id && list.deleteAction(row, { label: t('user.revoke'), icon: IconUserMinus }),
          ])
        }
        filtered={['search']}
        empty={{ drawing: 'people', title: t('user.emptyTitle'), text: t('user.emptyText'), action: add }}
        form={(user, close) => <TenantUserForm user={user} onClose={close} />}
        deletion={{
          action: t('user.revoke'),
          mutation: remove,
          title: t('user.revokeTitle'),
          text: row => t('user.revokeText', { name: nameOf(row) }),
        }}
      />
    </>
  );
}
