import { permissionKeys, permissions } from '@portico/contract/permissions.ts';
import type { TeamRole } from '@portico/contract/roles.ts';
import { IconPencil, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteRole, useResetRole, useRoles } from '#features/team/roles.api.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const RoleForm = lazyPart(() => import('#features/team/role-form.tsx'), 'RoleForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

interface Props {
  /** The location whose roles they are; undefined: those of the whole tenant. */
  at?: string;
  own: readonly string[];
  mayChange: boolean;
  /** A new one is being made. */
  creating: boolean;
  onCreated: () => void;
}

/** The named sets of permissions that are offered when somebody is invited. */
export function RolesTable({ at, own, mayChange, creating, onCreated }: Props) {
  const { t } = useTranslation(['team', 'common']);
  const roles = useRoles(at);
  const reset = useResetRole(at);
  const remove = useDeleteRole(at);
  const [editing, setEditing] = useState<TeamRole>();
  const [deleting, setDeleting] = useState<TeamRole>();
  const made = at === undefined ? 'tenant' : 'location';

  const columns: Column<TeamRole>[] = [
    {
      key: 'name',
      label: t('roles.name'),
      cell: row => (
        <RowName name={row.name} onOpen={mayChange ? () => setEditing(row) : undefined}>
          {row.adjusted && <Tag tone="accent">{t('adjusted')}</Tag>}
        </RowName>
      ),
    },
    { key: 'kind', label: t('roles.kind'), cell: row => t(`roles.kinds.${row.kind}`), from: 'md' },
    {
      key: 'permissions',
      label: t('permissions'),
      cell: row => {
        const count = permissionKeys(row.permissions).length;
        return count === permissions.length ? t('everything') : t('permissionCount', { count });
      },
    },
    { key: 'members', label: t('title'), cell: row => formatNumber(row.members), numeric: true },
  ];
  const actions = (row: TeamRole) => [
    { label: t('common:edit'), icon: IconPencil, onClick: () => setEditing(row) },
    ...(row.adjusted ? [{ label: t('roles.reset'), icon: IconRestore, onClick: () => reset.mutate(row) }] : []),
    ...(row.kind === made
      ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
      : []),
  ];
  return (
    <>
      <DataTable
        label={t('roles.title')}
        query={{ ...roles, data: roles.data && { data: roles.data.data } }}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={mayChange ? setEditing : undefined}
        rowActions={mayChange ? actions : undefined}
        empty={<EmptyState drawing="people" title={t('roles.emptyTitle')} text={t('roles.help')} />}
      />
      {creating && <RoleForm at={at} role={undefined} own={own} onClose={onCreated} />}
      {editing && <RoleForm at={at} role={editing} own={own} onClose={() => setEditing(undefined)} />}
      {deleting && (
        <ConfirmDelete
          name={deleting.name}
          title={t('roles.deleteTitle')}
          text={t('roles.deleteText', { name: deleting.name })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
