import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The state of a list in the address: page, search text and filters, all as plain text (`?page=2&types=a,b`). */
export type ListSearch = { readonly [key: string]: string | undefined };

export const parseSearch = (text: string): ListSearch => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}` : '';
}

/**
 * The list's state in the address and a function to change it. Any change but that of the page returns to page 1. Only
 * a page change adds an entry to the browser's history, unless `replace` says otherwise.
 */
export function useListSearch(): readonly [ListSearch, (patch: ListSearch, replace?: boolean) => void] {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: ListSearch, replace = !('page' in patch)) =>
      void navigate({
        to: '.',
        search: (now: ListSearch) => ({ ...now, page: undefined, ...patch }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

/** The page in the address, from 1. */
export const pageOf = (search: ListSearch): number => Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1);

/** A comma-separated filter as a list; undefined when it is not set. */
export const listOf = (value: string | undefined): string[] | undefined => value?.split(',').filter(Boolean);
