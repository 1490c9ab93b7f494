import { useState } from 'react';
import { isOfSelection } from '#lib/queries.ts';

/** Rows that are selected on any page of a list, by key, as they were when they were selected. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly set: (rows: readonly Row[], on: boolean) => void;
  readonly clear: () => void;
  /** After a refusal of an action: one of the rows is gone, so no action on these rows can succeed any more. */
  readonly clearIfRefused: (error: unknown) => void;
}

export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const set = (changed: readonly Row[], on: boolean) =>
    setRows(before => {
      const next = new Map(before);
      for (const row of changed) {
        if (on) next.set(keyOf(row), row);
        else next.delete(keyOf(row));
      }
      return next;
    });
  const clear = () => setRows(new Map());
  return { rows, set, clear, clearIfRefused: error => isOfSelection(error) && clear() };
}
