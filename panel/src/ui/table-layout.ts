import type { ViewList } from '@portico/contract/view-kinds.ts';
import { useState } from 'react';
import { useUser } from '#lib/user.ts';

interface Stored {
  readonly hidden: readonly string[];
  readonly dense: boolean;
}

/** The columns and density of a list. They are kept in the browser. Saved views are on the server. */
export interface TableLayout extends Stored {
  readonly list: ViewList;
  readonly change: (patch: Partial<Stored>) => void;
}

function read(key: string, standard: Stored): Stored {
  try {
    return { ...standard, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Stored>) };
  } catch {
    return standard;
  }
}

/** The layout of a list, for each user of this browser. `hidden`: columns that are hidden until the user shows them. */
export function useTableLayout(list: ViewList, hidden: readonly string[] = []): TableLayout {
  const key = `portico.table.${list}.${useUser().id}`;
  const [layout, setLayout] = useState(() => read(key, { hidden, dense: false }));
  const change = (patch: Partial<Stored>) => {
    const next = { ...layout, ...patch };
    setLayout(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return { ...layout, list, change };
}
