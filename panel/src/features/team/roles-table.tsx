import { permissionKeys } from '@portico/contract/permissions.ts';
import type { TeamRole } from '@portico/contract/roles.ts';
import { IconRestore } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDeleteRole, useResetRole, useRoles } from '#features/team/roles.api.ts';
import { useGrantSentence } from '#features/team/use-grant-sentence.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Column } from '#ui/data-table.tsx';
import { ListTable, onOnePage, type useListPage } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const RoleForm = lazyPart(() => import('#features/team/role-form.tsx'), 'RoleForm');

interface Props {
  /** The location that the roles belong to; without it, the roles of the whole tenant. */
  at?: string;
  own: readonly string[];
  mayChange: boolean;
  /** Held by the page, whose header has the button that adds a role. */
  list: ReturnType<typeof useListPage<TeamRole>>;
}

/** Named sets of permissions, offered when an administrator is invited. */
export function RolesTable({ at, own, mayChange, list }: Props) {
  const { t } = useTranslation(['team', 'common']);
  const roles = useRoles(at);
  const sentence = useGrantSentence();
  const reset = useResetRole(at);
  const remove = useDeleteRole(at);
  const deletable = at === undefined ? 'tenant' : 'location';

  const columns: Column<TeamRole>[] = [
    {
      key: 'name',
      label: t('roles.name'),
      cell: row => (
        <RowName name={row.name} onOpen={mayChange ? () => list.edit(row) : undefined}>
          {row.adjusted && <Tag tone="accent">{t('adjusted')}</Tag>}
        </RowName>
      ),
    },
    { key: 'kind', label: t('roles.kind'), cell: row => t(`roles.kinds.${row.kind}`), from: 'md' },
    {
      key: 'permissions',
      onPhone: true,
      label: t('permissions'),
      cell: row => sentence(permissionKeys(row.permissions)),
    },
    { key: 'members', label: t('title'), cell: row => formatNumber(row.members), numeric: true, onPhone: 'labelled' },
  ];
  return (
    <ListTable
      list={list}
      label={t('roles.title')}
      query={onOnePage(roles)}
      columns={columns}
      rowKey={row => row.id}
      rowName={row => row.name}
      onRowClick={mayChange ? list.edit : undefined}
      rowActions={
        mayChange &&
        (row => [
          list.editAction(row),
          row.adjusted && { label: t('roles.reset'), icon: IconRestore, onClick: () => reset.mutate(row) },
          row.kind === deletable && list.deleteAction(row),
        ])
      }
      empty={{ drawing: 'people', title: t('roles.emptyTitle'), text: t('roles.help') }}
      form={(role, close) => <RoleForm at={at} role={role} own={own} onClose={close} />}
      deletion={{
        mutation: remove,
        title: t('roles.deleteTitle'),
        text: row => t('roles.deleteText', { name: row.name }),
      }}
    />
  );
}
