import { Button } from '@mantine/core';
import { type Icon, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHashAction } from '#lib/hash-action.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import type { RowAction } from '#ui/row-menu.tsx';

const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

type Open<Row> = { form: Row | 'new' } | { deleting: Row } | undefined;

/** The state of a list page: the form of a new or an existing row is open, or the question before a row is deleted. */
export function useListPage<Row>() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open<Row>>();
  // The press is drawn first. A form takes longer.
  const add = () => startTransition(() => setOpen({ form: 'new' }));
  useHashAction('add', add);
  const edit = (row: Row) => setOpen({ form: row });
  const remove = (row: Row) => setOpen({ deleting: row });
  return {
    open,
    add,
    edit,
    remove,
    close: () => setOpen(undefined),
    /** The menu entry that edits a row: in the form, or by `onClick`. */
    editAction: (row: Row, onClick = edit): RowAction => ({
      label: t('edit'),
      icon: IconPencil,
      onClick: () => onClick(row),
    }),
    /** The menu entry that deletes a row, once that is confirmed. */
    deleteAction: (row: Row, words: Partial<Pick<RowAction, 'label' | 'icon'>> = {}): RowAction => ({
      label: t('delete'),
      icon: IconTrash,
      danger: true,
      ...words,
      onClick: () => remove(row),
    }),
  };
}

interface AddButtonProps {
  label: string;
  icon?: Icon;
  variant?: 'default';
  onClick: () => void;
}

/** The button that adds a row. */
export const AddButton = ({ label, icon: Plus = IconPlus, variant, onClick }: AddButtonProps) => (
  <Button {...(variant && { variant })} leftSection={<Plus size={16} />} onClick={onClick}>
    {label}
  </Button>
);

interface Deletion<Row> {
  mutation: { mutate: (row: Row, options: { onSuccess: () => void }) => void; isPending: boolean };
  title?: string;
  /** The word for the action, if that is not deleting. */
  action?: string;
  /** Names the loss. Default: a general question with the name of the row. */
  text?: (row: Row) => ReactNode;
}

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>;

interface DialogProps<Row> {
  list: ReturnType<typeof useListPage<Row>>;
  rowName: (row: Row) => string;
  /** The dialog of the given row, or of a new one. */
  form?: ((row: Row | undefined, close: () => void) => ReactNode) | undefined;
  /** The question before a row is deleted, and its action. A function renders a question of its own. */
  deletion?: Deletion<Row> | ((row: Row, close: () => void) => ReactNode) | undefined;
  onDeleted?: (row: Row) => void;
}

/** The dialog of a list page that is open: the form, or the question before a row is deleted. */
export function ListDialogs<Row>({ list, rowName, form, deletion, onDeleted }: DialogProps<Row>) {
  const { open, close } = list;
  if (!open) return null;
  if ('form' in open) return form?.(open.form === 'new' ? undefined : open.form, close);
  const { deleting: row } = open;
  if (typeof deletion === 'function') return deletion(row, close);
  if (!deletion) return null;
  const { mutation, title, text, action } = deletion;
  return (
    <ConfirmDelete
      name={rowName(row)}
      {...(title && { title })}
      text={text?.(row)}
      action={action}
      pending={mutation.isPending}
      onConfirm={() =>
        mutation.mutate(row, {
          onSuccess: () => {
            close();
            onDeleted?.(row);
          },
        })
      }
      onClose={close}
    />
  );
}

interface EmptyProps {
  /** The search and filters in the address, or whether others are set. With one set, an empty list only means that nothing matches. */
  filtered?: readonly string[] | boolean | undefined;
  /** The content of an empty list; `action` is usually the button that adds the first row. */
  empty: Omit<ComponentProps<typeof EmptyState>, 'children'> & { action?: ReactNode };
}

/** An empty list: nothing matches the filters, or there is nothing yet. */
export function EmptyList({ filtered = false, empty: { action, ...state } }: EmptyProps) {
  const [search] = useListSearch();
  const keys = typeof filtered === 'boolean' ? [] : filtered;
  const isFiltered = filtered === true || keys.some(key => search[key]);
  return isFiltered ? <NoMatch clears={keys} /> : <EmptyState {...state}>{action}</EmptyState>;
}

interface Props<Row>
  extends Omit<TableProps<Row>, 'rowActions' | 'empty'>,
    EmptyProps,
    Pick<DialogProps<Row>, 'form' | 'deletion'>,
    Partial<Pick<DialogProps<Row>, 'list'>> {
  /** The entries of a row's menu; falsy ones are left out. */
  rowActions?: ((row: Row) => readonly (RowAction | false | undefined)[]) | false | undefined;
}

/** The table of a list page with what belongs to it: row menus, the form, the question before a row is deleted, and empty states. */
export function ListTable<Row>(props: Props<Row>) {
  const { list, rowActions, filtered, empty, form, deletion, ...table } = props;
  return (
    <>
      <DataTable
        {...table}
        rowActions={rowActions ? row => rowActions(row).filter(entry => !!entry) : undefined}
        empty={<EmptyList filtered={filtered} empty={empty} />}
      />
      {list && (
        <ListDialogs
          list={list}
          rowName={props.rowName}
          form={form}
          deletion={deletion}
          // A deleted row that stayed selected would make every action on the selection fail.
          onDeleted={row => table.selection?.set([row], false)}
        />
      )}
    </>
  );
}

/** All rows of a list on one page: without its page counts, the table draws no pagination. */
export const onOnePage = <Query extends { data: { data: readonly unknown[] } | undefined }>(query: Query) => ({
  ...query,
  data: query.data && { data: query.data.data as NonNullable<Query['data']>['data'] },
});
