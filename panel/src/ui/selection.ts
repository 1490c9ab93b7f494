import { useState } from 'react';

/** Rows that are selected on any page of a list, by key, as they were when they were selected. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly set: (rows: readonly Row[], on: boolean) => void;
  readonly clear: () => void;
}

export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const set = (changed: readonly Row[], on: boolean) => {
    const next = new Map(rows);
    for (const row of changed) {
      if (on) next.set(keyOf(row), row);
      else next.delete(keyOf(row));
    }
    setRows(next);
  };
  return { rows, set, clear: () => setRows(new Map()) };
}
