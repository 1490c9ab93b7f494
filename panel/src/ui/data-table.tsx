import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  startTransition,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useUser } from '#lib/user.ts';
import classes from '#ui/data-table.module.css';
import { LoadError } from '#ui/load-error.tsx';
import { type PageMeta, PageOutOfRange, Pagination } from '#ui/pagination.tsx';
import type { RowAction } from '#ui/row-menu.tsx';
import type { Selection } from '#ui/selection.ts';
import type { Order, Sorting } from '#ui/sorting.ts';
import type { TableLayout } from '#ui/table-layout.ts';
import { TableSkeleton } from '#ui/table-skeleton.tsx';
import { useSlow } from '#ui/use-slow.ts';

const RowMenu = lazyPart(() => import('#ui/row-menu.tsx'), 'RowMenu');

export interface Column<Row> {
  key: string;
  label: string;
  /** The order of the list by this column, and its direction after the first click. */
  sort?: { by: string; first: Order };
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right, with tabular figures. */
  numeric?: boolean;
  /** Never wraps beside the menu on a wide screen: addresses, dates. */
  nowrap?: boolean;
  /** Hidden below this width (1180, 1280 or 1440 pixels); on phones it is a line of the row's card again. */
  from?: 'md' | 'lg' | 'xl';
  /**
   * Stands in the second line of a row on phones. If a list has such columns, phones show only these and the first. The
   * rest is on the page that the row opens. Lists without them show a line per column. `labelled`: with its label, for values
   * that do not speak for themselves.
   */
  onPhone?: boolean | 'labelled';
  /** A button, which phones show at the right of the row’s name. */
  inCorner?: boolean;
}

/** The state of the list's query, as TanStack Query gives it. */
interface ListQuery<Row> {
  data: { data: readonly Row[]; meta?: PageMeta } | undefined;
  error: Error | null;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Props<Row> {
  /** The accessible name of the table. */
  label: string;
  query: ListQuery<Row>;
  /** The first column names the row. Kept with `useMemo`, rows that did not change are not drawn again. */
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

export function DataTable<Row>(props: Props<Row>) {
  const { label, query, rowKey, rowName, rowActions, onRowClick, onPage, empty, sorting, selection, layout } = props;
  const { t } = useTranslation();
  const zone = useUser().time_zone;
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement }>();
  const latest = useRef({ onRowClick, selection });
  latest.current = { onRowClick, selection };
  // Rows call these instead of the screen's own functions, which are new whenever the screen is drawn.
  const on = useMemo<RowEvents<Row>>(
    () => ({
      open: row => latest.current.onRowClick?.(row),
      choose: (row, isChosen) => latest.current.selection?.set([row], isChosen),
      menu: (row, button) => startTransition(() => setMenu({ row, button })),
    }),
    [],
  );
  const rows = query.data?.data;
  const current = useMemo(
    () => ({ columns: props.columns, hidden: layout?.hidden, dense: layout?.dense, rows, chosen: selection?.rows }),
    [props.columns, layout?.hidden, layout?.dense, rows, selection?.rows],
  );
  // A key or click is answered before the rows are drawn again. A box that was ticked has to show it at once.
  const deferred = useDeferredValue(current);
  const shown = deferred.chosen === current.chosen && deferred.rows?.length ? deferred : current;
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
          data-dense={shown.dense || undefined}
          data-compact={columns.some(column => column.onPhone) || undefined}
          role="table"
          aria-label={label}
          aria-busy={query.isPlaceholderData || shown.rows !== rows}
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
          <tbody role="rowgroup">
            {shown.rows.map(row => (
              <TableRow
                key={rowKey(row)}
                row={row}
                name={rowName(row)}
                columns={columns}
                zone={zone}
                opens={onRowClick !== undefined}
                chosen={shown.chosen?.has(rowKey(row))}
                hasActions={rowActions && rowActions(row).length > 0}
                isOpened={menu?.row === row}
                on={on}
              />
            ))}
          </tbody>
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

interface RowEvents<Row> {
  readonly open: (row: Row) => void;
  readonly choose: (row: Row, isChosen: boolean) => void;
  readonly menu: (row: Row, button: HTMLElement) => void;
}

interface RowProps<Row> {
  readonly row: Row;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Cells show times in this zone, so that another one draws them again. */
  readonly zone: string;
  readonly opens: boolean;
  /** Undefined where rows cannot be selected. */
  readonly chosen: boolean | undefined;
  /** Undefined where no row has a menu. */
  readonly hasActions: boolean | undefined;
  readonly isOpened: boolean;
  readonly on: RowEvents<Row>;
}

/** Drawn again only when its row or the columns change, not with each state of the screen, the table or the query. */
const TableRow = memo(function TableRow<Row>(props: RowProps<Row>) {
  const { row, name, columns, zone, opens, chosen, hasActions, isOpened, on } = props;
  const [first] = columns;
  const open = (event: MouseEvent) => {
    // A click on a control, or the end of a text selection, does not open the row.
    if ((event.target as Element).closest('a, button, input') || getSelection()?.toString()) return;
    on.open(row);
  };
  return (
    <tr
      role="row"
      onClick={opens ? open : undefined}
      data-opens={opens || undefined}
      data-selected={chosen || undefined}
    >
      {first && (
        <td role="cell" className={classOf(first)} data-label={first.label}>
          {chosen === undefined ? (
            <Content column={first} row={row} zone={zone} />
          ) : (
            <span className={classes.selectable}>
              <Choose name={name} chosen={chosen} onChange={isChosen => on.choose(row, isChosen)} />
              <span>
                <Content column={first} row={row} zone={zone} />
              </span>
            </span>
          )}
        </td>
      )}
      <OtherCells columns={columns} row={row} zone={zone} />
      {hasActions !== undefined && (
        <MenuCell row={row} name={name} hasActions={hasActions} isOpened={isOpened} on={on} />
      )}
    </tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

type MenuCellProps<Row> = Pick<RowProps<Row>, 'row' | 'name' | 'hasActions' | 'isOpened' | 'on'>;

type CellsProps<Row> = Pick<RowProps<Row>, 'row' | 'zone'>;

// Cells are not drawn again when their row is selected. Otherwise a tick waits for all cells of all rows.
const Content = memo(function Content<Row>({ column, row }: CellsProps<Row> & { readonly column: Column<Row> }) {
  return column.cell(row);
}) as <Row>(props: CellsProps<Row> & { readonly column: Column<Row> }) => ReactNode;

/** All cells of a row but the first. */
const OtherCells = memo(function OtherCells<Row>({ columns, row }: CellsProps<Row> & Pick<RowProps<Row>, 'columns'>) {
  return columns.slice(1).map(column => (
    <td key={column.key} role="cell" className={classOf(column)} data-label={column.label}>
      {column.cell(row)}
    </td>
  ));
}) as <Row>(props: CellsProps<Row> & Pick<RowProps<Row>, 'columns'>) => ReactNode;

/** The last cell of a row. */
const MenuCell = memo(function MenuCell<Row>({ row, name, hasActions, isOpened, on }: MenuCellProps<Row>) {
  const { t } = useTranslation();
  return (
    <td role="cell" className={classes.actions}>
      {hasActions && (
        <button
          type="button"
          className={classes.more}
          aria-label={t('list.rowActions', { name })}
          aria-haspopup="menu"
          aria-expanded={isOpened}
          onClick={event => on.menu(row, event.currentTarget)}
        >
          <IconDots size={18} aria-hidden />
        </button>
      )}
    </td>
  );
}) as <Row>(props: MenuCellProps<Row>) => ReactNode;

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

interface ChooseProps {
  name: string;
  chosen: boolean;
  onChange: (chosen: boolean) => void;
}

function Choose({ name, chosen, onChange }: ChooseProps) {
  const { t } = useTranslation('table');
  return (
    <input
      type="checkbox"
      className={classes.choose}
      aria-label={t('choose', { name })}
      checked={chosen}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  );
}

interface ChooseAllProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  selection: Selection<Row>;
}

function ChooseAll<Row>({ rows, rowKey, selection }: ChooseAllProps<Row>) {
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
  from?: 'md' | 'lg' | 'xl';
  onPhone?: boolean | 'labelled';
  inCorner?: boolean;
}): string | undefined {
  const names = [
    column.numeric && classes.numeric,
    column.nowrap && classes.nowrap,
    column.from && classes[column.from],
    column.onPhone && classes.onPhone,
    column.onPhone === 'labelled' && classes.labelled,
    column.inCorner && classes.inCorner,
  ].filter(Boolean);
  return names.length > 0 ? names.join(' ') : undefined;
}

function Frame({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  const isSlow = useSlow(busy);
  return (
    <div className={classes.frame} data-busy={isSlow || undefined}>
      {children}
    </div>
  );
}
