import { Button } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuHeader } from '#features/qr-menu/menu-header.tsx';
import { useDelete } from '#features/qr-menu/qr-menu.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import { RowName } from '#ui/row-name.tsx';

const OrderForm = lazyPart(() => import('#features/qr-menu/order-form.tsx'), 'OrderForm');

interface Row {
  id: string;
  title: string;
}

interface Props<R extends Row> {
  kind: 'category' | 'product' | 'desk';
  query: ComponentProps<typeof ListTable<R>>['query'];
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
  const remove = useDelete(kind);
  const list = useListPage<R>();
  const [ordering, setOrdering] = useState(false);
  const edit = can('update-portals') ? list.edit : undefined;
  const add = can('store-portals') && <AddButton label={t(`${kind}.add`)} onClick={list.add} />;
  const label = t(`${kind}.list`);
  const title: Column<R> = {
    key: 'title',
    label: t('name'),
    cell: row => <RowName name={row.title} onOpen={edit && (() => edit(row))} />,
  };
  const actions = (row: R) => [
    ...(more?.(row) ?? []),
    edit && list.editAction(row),
    can('delete-portals') && list.deleteAction(row),
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
      <ListTable
        list={list}
        label={label}
        query={query}
        columns={[title, ...columns]}
        rowKey={row => row.id}
        rowName={row => row.title}
        onRowClick={edit}
        rowActions={(edit || more || can('delete-portals')) && actions}
        filtered={['search']}
        empty={{ drawing: 'page', title: t(`${kind}.emptyTitle`), text: t(`${kind}.emptyText`), action: add }}
        form={form}
        deletion={{ mutation: remove }}
      />
      {ordering && kind !== 'desk' && <OrderForm kind={kind} onClose={() => setOrdering(false)} />}
    </>
  );
}
