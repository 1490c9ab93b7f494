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

const standard: Stored = { hidden: [], dense: false };

function read(key: string): Stored {
  try {
    const { hidden, dense } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Stored>;
    return { hidden: hidden ?? [], dense: dense ?? false };
  } catch {
    return standard;
  }
}

/** The layout of a list, for each user of this browser. */
export function useTableLayout(list: ViewList): TableLayout {
  const key = `portico.table.${list}.${useUser().id}`;
  const [layout, setLayout] = useState(() => read(key));
  const change = (patch: Partial<Stored>) => {
    const next = { ...layout, ...patch };
    setLayout(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return { ...layout, list, change };
}
