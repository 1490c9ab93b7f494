import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  startTransition,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#lib/lazy-part.tsx';
import classes from '#ui/data-table.module.css';
import { LoadError } from '#ui/load-error.tsx';
import { type PageMeta, PageOutOfRange, Pagination } from '#ui/pagination.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import type { Selection } from '#ui/selection.ts';
import type { Order, Sorting } from '#ui/sorting.ts';
import type { TableLayout } from '#ui/table-layout.ts';
import { TableSkeleton } from '#ui/table-skeleton.tsx';

const RowMenu = lazyPart(() => import('#ui/row-menu.tsx'), 'RowMenu');

export interface Column<Row> {
  key: string;
  label: string;
  /** What the list is sorted by in this column, and the order that the first click gives. */
  sort?: { by: string; first: Order };
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right, with tabular figures. */
  numeric?: boolean;
  /** Never wraps: addresses, dates. */
  nowrap?: boolean;
  /** Hidden below this width; on phones it is a line of the row's card again. */
  from?: 'md' | 'lg';
  /**
   * Stands in the second line of a row on phones. If a list has such columns, phones show only these and the first; the
   * rest is on the page that the row opens. Lists without them show a line per column.
   */
  onPhone?: boolean;
  /** A button, which phones show at the right of the row’s name. */
  inCorner?: boolean;
}

/** The state of the list's query, as TanStack Query gives it. */
interface ListQuery<Row> {
  data: { data: readonly Row[]; meta?: PageMeta } | undefined;
  error: Error | null;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Props<Row> {
  /** The accessible name of the table. */
  label: string;
  query: ListQuery<Row>;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowName: (row: Row) => string;
  rowActions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** Called by a click on the row. The first column should have a link or button that does the same. */
  onRowClick?: ((row: Row) => void) | undefined;
  sorting?: Sorting | undefined;
  /** Rows can be selected. The page loads the texts of `table`. */
  selection?: Selection<Row> | undefined;
  /** Hides columns and sets the density. */
  layout?: TableLayout | undefined;
  /** For dialogs, whose page is not in the address. */
  onPage?: ((page: number) => void) | undefined;
  empty: ReactNode;
}

/** What the rows show, and the functions that show it. */
interface Shown<Row>
  extends Pick<Props<Row>, 'columns' | 'rowKey' | 'rowName' | 'rowActions' | 'onRowClick' | 'selection'> {
  readonly rows: readonly Row[] | undefined;
  readonly hidden: readonly string[] | undefined;
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, query, rowKey, rowName, rowActions, onRowClick, onPage, empty, sorting, selection, layout } = props;
  const { t } = useTranslation();
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement }>();
  const openMenu = useCallback((row: Row, button: HTMLElement) => startTransition(() => setMenu({ row, button })), []);
  const rows = query.data?.data;
  const current: Shown<Row> = {
    columns: props.columns,
    hidden: layout?.hidden,
    rows,
    rowKey,
    rowName,
    rowActions,
    onRowClick,
    selection,
  };
  // A key or click is answered before the rows are drawn again. A box that was ticked has to show it at once.
  const deferred = useDeferredValue(current);
  const shown = deferred.selection?.rows === selection?.rows && deferred.rows?.length ? deferred : current;
  const columns = useMemo(
    () => shown.columns.filter((column, index) => index === 0 || !shown.hidden?.includes(column.key)),
    [shown.columns, shown.hidden],
  );
  if (!query.data && query.error)
    return <Frame>{<LoadError error={query.error} onRetry={() => void query.refetch()} />}</Frame>;
  if (!rows || !shown.rows) return <TableSkeleton columns={columns} withActions={Boolean(rowActions)} />;
  const meta = query.data?.meta;
  if (rows.length === 0 && meta && meta.current_page > meta.last_page)
    return <PageOutOfRange meta={meta} onPage={onPage} />;
  if (rows.length === 0) return <Frame>{empty}</Frame>;

  return (
    <>
      <Frame busy={query.isPlaceholderData}>
        {/* Explicit roles, because the phone layout removes the implicit ones. */}
        <table
          className={classes.table}
          data-dense={layout?.dense || undefined}
          data-compact={columns.some(column => column.onPhone) || undefined}
          role="table"
          aria-label={label}
          aria-busy={query.isFetching || shown.rows !== rows}
        >
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column, index) => (
                <th
                  key={column.key}
                  role="columnheader"
                  scope="col"
                  aria-sort={sortedBy(column, sorting)}
                  className={classOf(column)}
                >
                  {index === 0 && selection ? (
                    <span className={classes.selectable}>
                      <ChooseAll rows={shown.rows ?? []} rowKey={rowKey} selection={selection} />
                      <Head column={column} sorting={sorting} />
                    </span>
                  ) : (
                    <Head column={column} sorting={sorting} />
                  )}
                </th>
              ))}
              {rowActions && (
                <th role="columnheader" scope="col" className={classes.actions}>
                  <span className="visually-hidden">{t('list.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <Rows
            columns={columns}
            rows={shown.rows}
            rowKey={shown.rowKey}
            rowName={shown.rowName}
            rowActions={shown.rowActions}
            onRowClick={shown.onRowClick}
            selection={shown.selection}
            opened={menu?.row}
            onMenu={openMenu}
          />
        </table>
      </Frame>
      {menu && rowActions && (
        <RowMenu
          label={t('list.rowActions', { name: rowName(menu.row) })}
          button={menu.button}
          actions={rowActions(menu.row)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {meta && <Pagination meta={meta} onPage={onPage} />}
    </>
  );
}

interface RowProps<Row> extends Omit<Shown<Row>, 'rows' | 'hidden'> {
  readonly onMenu: (row: Row, button: HTMLElement) => void;
}

/** Apart, so that the rows are drawn again only with new rows or columns, not with each state of the table or the query. */
const Rows = memo(function Rows<Row>({
  rows,
  opened,
  ...rest
}: RowProps<Row> & { rows: readonly Row[]; opened: Row | undefined }) {
  return (
    <tbody role="rowgroup">
      {rows.map(row => (
        <TableRow key={rest.rowKey(row)} row={row} isOpened={opened === row} {...rest} />
      ))}
    </tbody>
  );
}) as <Row>(props: RowProps<Row> & { rows: readonly Row[]; opened: Row | undefined }) => ReactNode;

const TableRow = memo(function TableRow<Row>({
  row,
  isOpened,
  columns,
  rowKey,
  rowName,
  rowActions,
  onRowClick,
  selection,
  onMenu,
}: RowProps<Row> & { row: Row; isOpened: boolean }) {
  const { t } = useTranslation();
  const open = (event: MouseEvent) => {
    // A click on a control, or the end of a text selection, does not open the row.
    if ((event.target as Element).closest('a, button, input') || getSelection()?.toString()) return;
    onRowClick?.(row);
  };
  return (
    <tr
      role="row"
      onClick={onRowClick && open}
      data-opens={onRowClick ? true : undefined}
      data-selected={selection?.rows.has(rowKey(row)) || undefined}
    >
      {columns.map((column, index) => (
        <td key={column.key} role="cell" className={classOf(column)} data-label={column.label}>
          {index === 0 && selection ? (
            <span className={classes.selectable}>
              <Choose row={row} name={rowName(row)} rowKey={rowKey} selection={selection} />
              <span>{column.cell(row)}</span>
            </span>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {rowActions && (
        <td role="cell" className={classes.actions}>
          {rowActions(row).length > 0 && (
            <button
              type="button"
              className={classes.more}
              aria-label={t('list.rowActions', { name: rowName(row) })}
              aria-haspopup="menu"
              aria-expanded={isOpened}
              onClick={event => onMenu(row, event.currentTarget)}
            >
              <IconDots size={18} aria-hidden />
            </button>
          )}
        </td>
      )}
    </tr>
  );
}) as <Row>(props: RowProps<Row> & { row: Row; isOpened: boolean }) => ReactNode;

/** The label of a column; a button where the list can be sorted by it. A second click reverses the order. */
function Head<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { label, sort } = column;
  if (!sort || !sorting) return label;
  const on = sorting.by === sort.by;
  const reversed = sorting.order === 'asc' ? 'desc' : 'asc';
  const Icon = (on ? sorting.order : sort.first) === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={classes.sort}
      data-on={on || undefined}
      onClick={() => sorting.change(sort.by, on ? reversed : sort.first)}
    >
      {label}
      <Icon size={13} aria-hidden />
    </button>
  );
}

function sortedBy<Row>({ sort }: Column<Row>, sorting: Sorting | undefined): 'ascending' | 'descending' | undefined {
  if (!sort || sorting?.by !== sort.by) return undefined;
  return sorting.order === 'asc' ? 'ascending' : 'descending';
}

interface Choosing<Row> {
  rowKey: (row: Row) => string;
  selection: Selection<Row>;
}

function Choose<Row>({ row, name, rowKey, selection }: Choosing<Row> & { row: Row; name: string }) {
  const { t } = useTranslation('table');
  return (
    <input
      type="checkbox"
      className={classes.choose}
      aria-label={t('choose', { name })}
      checked={selection.rows.has(rowKey(row))}
      onChange={event => selection.set([row], event.currentTarget.checked)}
    />
  );
}

function ChooseAll<Row>({ rows, rowKey, selection }: Choosing<Row> & { rows: readonly Row[] }) {
  const { t } = useTranslation('table');
  const chosen = rows.filter(row => selection.rows.has(rowKey(row))).length;
  return (
    <input
      type="checkbox"
      className={classes.choose}
      aria-label={t('chooseAll')}
      checked={chosen === rows.length}
      ref={box => {
        if (box) box.indeterminate = chosen > 0 && chosen < rows.length;
      }}
      onChange={event => selection.set(rows, event.currentTarget.checked)}
    />
  );
}

function classOf(column: {
  numeric?: boolean;
  nowrap?: boolean;
  from?: 'md' | 'lg';
  onPhone?: boolean;
  inCorner?: boolean;
}): string | undefined {
  const names = [
    column.numeric && classes.numeric,
    column.nowrap && classes.nowrap,
    column.from && classes[column.from],
    column.onPhone && classes.onPhone,
    column.inCorner && classes.inCorner,
  ].filter(Boolean);
  return names.length > 0 ? names.join(' ') : undefined;
}

function Frame({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className={classes.frame} data-busy={busy || undefined}>
      {children}
    </div>
  );
}
