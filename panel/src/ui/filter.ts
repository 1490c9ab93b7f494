import type { ReactNode } from 'react';
import type { ListSearch } from '#lib/search.ts';

interface Common {
  key: string;
  label: string;
  /**
   * Set to false where the user has nothing to choose from. A link or a shared view may have set the filter nevertheless: it is
   * shown then, so that it can be removed.
   */
  offered?: boolean;
}

/** A filter of a list. */
export type Filter = Common &
  (
    | { kind: 'text'; placeholder?: string; format?: (typed: string) => string }
    | {
        kind: 'options';
        options: readonly { value: string; label: string }[];
        single?: boolean;
        /** Without a value every option is ticked, and at least one stays ticked. */
        startsFull?: boolean;
      }
    | {
        kind: 'custom';
        describe: (value: string) => string;
        editor: (value: string | undefined, set: (value: string | undefined) => void) => ReactNode;
        /** The value when none is set, for a filter that always has one. */
        standard?: string;
        /** For a value that uses several keys of the address. */
        keys?: {
          read: (search: ListSearch) => string | undefined;
          write: (value: string | undefined) => ListSearch;
        };
      }
  );
