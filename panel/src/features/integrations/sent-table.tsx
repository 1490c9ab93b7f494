import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '#ui/data-table.tsx';
import type { Filter } from '#ui/filter.ts';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable } from '#ui/list-page.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

interface Props<State extends string, Row extends { id: string; state: State }>
  extends Omit<ComponentProps<typeof ListTable<Row>>, 'rowKey' | 'empty' | 'layout'> {
  /** The list whose columns and views are kept. */
  view: 'deliveries' | 'messages' | 'charges';
  states: Record<State, { label: string; tone: Tone }>;
  /** Shown while nothing has been sent. */
  empty: { title: string; text: string };
  /** Besides that of the status. */
  filters?: readonly Filter[];
  /** Buttons beside the filters. */
  actions?: ReactNode;
}

/** The messages of an integration, with a status column and filter. */
export function SentTable<State extends string, Row extends { id: string; state: State }>({
  view,
  states,
  empty,
  filters = [],
  actions,
  ...table
}: Props<State, Row>) {
  const { t } = useTranslation('integrations');
  const [name, ...others] = table.columns;
  const state: Column<Row> = {
    key: 'state',
    onPhone: true,
    label: t('deliveries.state'),
    cell: row => {
      const { tone, label } = states[row.state];
      return <StatusDot tone={tone}>{label}</StatusDot>;
    },
  };
  const columns = [name!, state, ...others];
  const layout = useTableLayout(view);
  const options = Object.entries<{ label: string }>(states).map(([value, { label }]) => ({ value, label }));
  return (
    <>
      <FilterBar
        filters={[{ kind: 'options', single: true, key: 'state', label: t('deliveries.state'), options }, ...filters]}
      >
        {actions}
        <TableOptions layout={layout} columns={columns} />
      </FilterBar>
      <ListTable
        {...table}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        filtered={['state', ...filters.map(it => it.key)]}
        empty={{ drawing: 'page', ...empty }}
      />
    </>
  );
}
