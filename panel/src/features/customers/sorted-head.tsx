import type { customerOrders } from '@portico/contract/customer-kinds.ts';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { overviewFilter } from '#features/customers/customers.api.ts';
import classes from '#features/customers/overview.module.css';
import { useListSearch } from '#lib/search.ts';

/** The initial direction of each column: most offline devices and most SMS used first. */
const first = { name: 'asc', ends_at: 'asc', devices_offline: 'desc', sms: 'desc' } as const;

/** Headers of sortable columns. A second click reverses the order. */
export function useSortedHead() {
  const [search, change] = useListSearch();
  const { sort = 'ends_at', order = first[sort] } = overviewFilter(search);
  return (by: (typeof customerOrders)[number], label: string, before?: ReactNode) => {
    const on = sort === by;
    const turned = order === 'asc' ? 'desc' : 'asc';
    const Icon = (on ? order : first[by]) === 'asc' ? IconArrowUp : IconArrowDown;
    return {
      sorted: on ? (order === 'asc' ? ('ascending' as const) : ('descending' as const)) : undefined,
      head: (
        <span className={classes.head}>
          {before}
          <button
            type="button"
            data-on={on || undefined}
            onClick={() => change({ sort: by, order: on ? turned : first[by] })}
          >
            {label}
            <Icon size={13} aria-hidden />
          </button>
        </span>
      ),
    };
  };
}
