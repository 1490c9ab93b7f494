import { useState } from 'react';
import { isOfSelection } from '#lib/queries.ts';

/** Rows that are selected on any page of a list, by key, as they were when they were selected. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly has: (row: Row) => boolean;
  readonly set: (rows: readonly Row[], on: boolean) => void;
  /** Selects these rows and no others. */
  readonly replace: (rows: readonly Row[]) => void;
  readonly clear: () => void;
  /** After a refusal of an action: one of the rows is gone, so no action on these rows can succeed any more. */
  readonly clearIfRefused: (error: unknown) => void;
}

/** The rows that match a list's filter, as far as the page knows them. */
export interface Matching<Row> {
  /** The rows of the page. */
  readonly rows: readonly Row[];
  readonly total: number;
  /** The first rows of all pages. */
  readonly load: (most: number) => Promise<{ readonly data: readonly Row[] }>;
}

export const matchingOf = <Row>(
  query: { data?: { data: readonly Row[]; meta: { total: number } } | undefined; isPlaceholderData: boolean },
  load: Matching<Row>['load'],
): Matching<Row> => {
  // The previous page is shown until this one has loaded. It belongs to another filter.
  const page = query.isPlaceholderData ? undefined : query.data;
  return { rows: page?.data ?? [], total: page?.meta.total ?? 0, load };
};

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
  const has = (row: Row) => rows.has(keyOf(row));
  const replace = (next: readonly Row[]) => setRows(new Map(next.map(row => [keyOf(row), row])));
  const clear = () => replace([]);
  return { rows, has, set, replace, clear, clearIfRefused: error => isOfSelection(error) && clear() };
}
