import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { SavedView } from '@portico/contract/saved-views.ts';
import type { ViewAudience } from '@portico/contract/view-kinds.ts';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { LoadError } from '#ui/load-error.tsx';
import type { TableLayout } from '#ui/table-layout.ts';
import classes from '#ui/table-options.module.css';

const longestName = 40;

/** The query that a view keeps: everything but the page. */
const kept = (search: ListSearch): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) => (value === undefined || key === 'page' ? [] : [[key, value]])),
  );

/** The audiences that the user may share a view with. A view of a location is for the active one. */
function useAudiences(): readonly ViewAudience[] {
  const can = useCan();
  const { active_location } = useUser();
  const atLocation = can('update-location') && active_location !== null;
  return ['own', ...(atLocation ? ['location' as const] : []), ...(can('tenant-admin') ? ['tenant' as const] : [])];
}

const put = ({ list, name, shared, search, hidden }: Omit<SavedView, 'id' | 'may_change'>) =>
  call(api.savedViews.put, { body: { list, name, shared, search, hidden } });

/** The views of a list: opens, saves and removes them. */
export function SavedViews({ layout, onApplied }: { layout: TableLayout; onApplied: () => void }) {
  const { t } = useTranslation('table');
  const [search, change] = useListSearch();
  const [name, setName] = useState('');
  const [shared, setShared] = useState<ViewAudience>('own');
  const audiences = useAudiences();
  const { list, hidden } = layout;
  const query = useQuery(queryOf(api.savedViews.list, { query: { list } }));
  const refresh = [api.savedViews.list];
  const save = useChange({ send: put, refresh, done: t('viewSaved') });
  const remove = useChange({
    send: ({ id }: SavedView) => call(api.savedViews.delete, { params: { id } }),
    refresh,
    done: t('viewRemoved'),
    undo: put,
  });
  const apply = (view: SavedView) => {
    const none = Object.fromEntries(Object.keys(search).map(key => [key, undefined]));
    layout.change({ hidden: view.hidden });
    change({ ...none, ...view.search }, false);
    onApplied();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed)
      save.mutate(
        { list, name: trimmed, shared, search: kept(search), hidden: [...hidden] },
        { onSuccess: () => setName('') },
      );
  };
  return (
    <fieldset>
      <legend>{t('views')}</legend>
      {query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && query.data.data.length > 0 && (
        <ul className={classes.views}>
          {query.data.data.map(view => (
            <li key={view.id}>
              <button type="button" onClick={() => apply(view)}>
                <span title={view.name}>{view.name}</span>{' '}
                {view.shared !== 'own' && <small>{t(`sharedWith.${view.shared}`)}</small>}
              </button>
              {view.may_change && (
                <button
                  type="button"
                  aria-label={t('removeView', { name: view.name })}
                  onClick={() => remove.mutate(view)}
                >
                  <IconX size={14} aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <form className={classes.save} onSubmit={submit}>
        <TextInput
          size="xs"
          aria-label={t('viewName')}
          placeholder={t('viewName')}
          maxLength={longestName}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={!name.trim()} loading={save.isPending}>
          {t('saveView')}
        </Button>
      </form>
      {audiences.length > 1 && name.trim() && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('seenBy')}
          data={audiences.map(value => ({ value, label: t(`audience.${value}`) }))}
          value={shared}
          onChange={setShared}
        />
      )}
    </fieldset>
  );
}
