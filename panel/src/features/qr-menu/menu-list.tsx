import { Button } from '@mantine/core';
import { IconArrowsSort, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuHeader } from '#features/qr-menu/menu-header.tsx';
import { useDelete } from '#features/qr-menu/qr-menu.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import { RowName } from '#ui/row-name.tsx';

const OrderForm = lazyPart(() => import('#features/qr-menu/order-form.tsx'), 'OrderForm');
const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

interface Row {
  id: string;
  title: string;
}

interface Props<R extends Row> {
  kind: 'category' | 'product' | 'desk';
  query: ComponentProps<typeof DataTable<R>>['query'];
  /** The columns after the title. */
  columns: readonly Column<R>[];
  /** The dialog for a new row, or for the given one. */
  form: (row: R | undefined, close: () => void) => ReactNode;
  /** Extra items at the top of a row's menu. */
  more?: (row: R) => readonly RowAction[];
}

/** The common parts of the three lists: search, add, edit and delete. */
export function MenuList<R extends Row>({ kind, query, columns, form, more }: Props<R>) {
  const { t } = useTranslation(['qr-menu', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const remove = useDelete(kind);
  const [editing, setEditing] = useState<R | 'new'>();
  const [deleting, setDeleting] = useState<R>();
  const [ordering, setOrdering] = useState(false);
  const edit = can('update-portals') ? setEditing : undefined;
  const add = can('store-portals') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t(`${kind}.add`)}
    </Button>
  );
  const label = t(`${kind}.list`);
  const title: Column<R> = {
    key: 'title',
    label: t('name'),
    cell: row => <RowName name={row.title} onOpen={edit && (() => edit(row))} />,
  };
  const actions = (row: R) => [
    ...(more?.(row) ?? []),
    ...(edit ? [{ label: t('common:edit'), icon: IconPencil, onClick: () => edit(row) }] : []),
    ...(can('delete-portals')
      ? [{ label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true }]
      : []),
  ];
  return (
    <>
      <MenuHeader>
        {kind !== 'desk' && edit && (
          <Button variant="default" leftSection={<IconArrowsSort size={16} />} onClick={() => setOrdering(true)}>
            {t('order')}
          </Button>
        )}
        {add}
      </MenuHeader>
      <FilterBar search={{ key: 'search', placeholder: t(`${kind}.search`) }} />
      <DataTable
        label={label}
        query={query}
        columns={[title, ...columns]}
        rowKey={row => row.id}
        rowName={row => row.title}
        onRowClick={edit}
        rowActions={edit || more || can('delete-portals') ? actions : undefined}
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="page" title={t(`${kind}.emptyTitle`)} text={t(`${kind}.emptyText`)}>
              {add}
            </EmptyState>
          )
        }
      />
      {editing && form(editing === 'new' ? undefined : editing, () => setEditing(undefined))}
      {ordering && kind !== 'desk' && <OrderForm kind={kind} onClose={() => setOrdering(false)} />}
      {deleting && (
        <ConfirmDelete
          name={deleting.title}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(deleting, { onSuccess: () => setDeleting(undefined) })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
