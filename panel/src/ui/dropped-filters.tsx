import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#lib/client.ts';
import { apiNames, type ListSearch, useListSearch } from '#lib/search.ts';
import type { Filter } from '#ui/filter.ts';
import classes from '#ui/filter-bar.module.css';

/** Other fields of the API's queries that a list has under another name in its address. */
const otherNames: Record<string, readonly string[]> = {
  location_id: ['location'],
  subject_type: ['kind'],
  from: ['days'],
  to: ['days'],
  start_at: ['days', 'period'],
  end_at: ['days', 'period'],
};

/** The keys of the address that may hold the value of a field of the API's query. */
const addressKeys = (field: string): string[] => {
  const name = field.split('.')[0] ?? field;
  return [name, ...(apiNames[name] ? [apiNames[name]] : []), ...(otherNames[name] ?? [])];
};

interface Props {
  error: ApiError;
  /** Shown if the address has none of the refused values. */
  children: ReactNode;
}

/**
 * Opens a list without the filters that the server refused. They may come from a link or a saved view that is older than the values
 * of a filter. The entry of the history keeps their names, so that the filter bar can tell them.
 */
export function DropFilters({ error, children }: Props) {
  const [search] = useListSearch();
  const navigate = useNavigate();
  const refused = Object.keys(error.errors)
    .flatMap(addressKeys)
    .filter(key => search[key]);
  const names = refused.join();
  useEffect(() => {
    if (!names) return;
    const keys = names.split(',');
    const without = Object.fromEntries(keys.map(key => [key, undefined]));
    void navigate({
      to: '.',
      search: (now: ListSearch) => ({ ...now, page: undefined, ...without }),
      state: now => ({ ...now, dropped: [...(now.dropped ?? []), ...keys] }),
      replace: true,
      resetScroll: false,
    });
  }, [names, navigate]);
  return names ? null : children;
}

/** Names the filters that the list was opened without. */
export function DroppedFilters({ filters, keys }: { filters: readonly Filter[]; keys: readonly string[] }) {
  const { t } = useTranslation('dropped-filters');
  const names = filters.filter(it => keys.includes(it.key)).map(it => it.label);
  if (names.length === 0) return null;
  return (
    <p className={classes.dropped} role="status">
      {t('dropped', { count: names.length, names: names.join(', ') })}
    </p>
  );
}
