import { useState } from 'react';
import type { ListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';

/** A search with filters and order under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: ListSearch;
}

interface Stored {
  readonly hidden: readonly string[];
  readonly dense: boolean;
  readonly views: readonly SavedView[];
}

/** How a user wants to see a list. It is kept in the browser. */
export interface TableLayout extends Stored {
  readonly change: (patch: Partial<Stored>) => void;
}

const standard: Stored = { hidden: [], dense: false, views: [] };

function read(key: string): Stored {
  try {
    const { hidden, dense, views } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Stored>;
    return { hidden: hidden ?? [], dense: dense ?? false, views: views ?? [] };
  } catch {
    return standard;
  }
}

/** The layout of a list, for each user of this browser. */
export function useTableLayout(list: string): TableLayout {
  const key = `portico.table.${list}.${useUser().id}`;
  const [layout, setLayout] = useState(() => read(key));
  const change = (patch: Partial<Stored>) => {
    const next = { ...layout, ...patch };
    setLayout(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return { ...layout, change };
}
