import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The state of a list in the address: page, search text and filters, all as plain text (`?page=2&types=a,b`). */
export type ListSearch = { readonly [key: string]: string | undefined };

/** The API's names of filters, which addresses may use too (section 7 of the documents). */
export const apiNames: Record<string, string> = {
  locationIds: 'locations',
  deviceIds: 'devices',
  client_mac: 'mac',
  user_ip: 'ip',
  session_date: 'period',
};

/** A list may be written like in the API: `deviceIds=a,b`, `deviceIds=a&deviceIds=b` or `deviceIds[]=a`. */
export function parseSearch(text: string): ListSearch {
  const search: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const key = apiNames[name.replace(/\[\]$/, '')];
    if (!key) search[name] = value;
    else search[key] = search[key] ? `${search[key]},${value}` : value;
  }
  return search;
}

/** The router takes an address as reached once it is written the same, so this flag must not vanish by itself. */
const isSet = ([key, value]: [string, unknown]) =>
  value !== undefined && value !== null && (value !== '' || key === 'reloadAuthentication');

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(isSet);
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}` : '';
}

// Stryker disable all: a hook needs a router, so the journeys test it.
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

// Stryker restore all
/** The search text of a list, which finds names despite a typing error. */
export const searchOf = ({ search }: ListSearch) => ({ search, similar: search ? ('true' as const) : undefined });

/** A whole number from 1 to `max`; undefined for other texts. */
const countOf = (value: string | undefined, max: number): number | undefined => {
  const count = /^\d{1,7}$/.test(value ?? '') ? Number(value) : 0;
  return count >= 1 && count <= max ? count : undefined;
};

/** `page` and `per_page` (also called `size`) of the address. Without a page size, the list's own `standard` applies. */
export function pagingOf(search: ListSearch, standard?: number, max = 1000): { page: number; per_page?: number } {
  const size = countOf(search.per_page, max) ?? countOf(search.size, max) ?? standard;
  return { page: countOf(search.page, 1_000_000) ?? 1, ...(size ? { per_page: size } : {}) };
}

/** A comma-separated filter as a list; undefined when it is not set. */
export const listOf = (value: string | undefined): string[] | undefined => value?.split(',').filter(Boolean);
