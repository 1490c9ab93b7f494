import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListSearch, useListSearch } from '#lib/search.ts';
import { toastUndo } from '#lib/toast.ts';
import { AnchoredPopover } from '#ui/anchored-popover.tsx';
import type { SavedView } from '#ui/table-layout.ts';
import classes from '#ui/table-options.module.css';
import type { TableOptionsProps } from '#ui/table-options.tsx';

const longestName = 40;

export function TableOptionsPopover(props: TableOptionsProps & { button: HTMLElement; onClose: () => void }) {
  const { layout, columns, pageSizes, button, onClose } = props;
  const { t } = useTranslation('table');
  const [search, change] = useListSearch();
  const { hidden, dense } = layout;
  const show = (key: string, on: boolean) =>
    layout.change({ hidden: on ? hidden.filter(it => it !== key) : [...hidden, key] });
  return (
    <AnchoredPopover label={t('view')} button={button} position="bottom-end" width={280} padding={16} onClose={onClose}>
      <div className={classes.options}>
        <Views {...props} />
        <fieldset>
          <legend>{t('columns')}</legend>
          {columns.slice(1).map(({ key, label }) => (
            <Checkbox
              key={key}
              size="xs"
              label={label}
              checked={!hidden.includes(key)}
              onChange={event => show(key, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>{t('rows')}</legend>
          {pageSizes && (
            <SegmentedControl
              size="xs"
              fullWidth
              aria-label={t('pageSize')}
              data={pageSizes.map(String)}
              value={search.per_page ?? String(pageSizes[0])}
              onChange={size => change({ per_page: size === String(pageSizes[0]) ? undefined : size })}
            />
          )}
          <Checkbox
            size="xs"
            label={t('dense')}
            checked={dense}
            onChange={event => layout.change({ dense: event.currentTarget.checked })}
          />
        </fieldset>
      </div>
    </AnchoredPopover>
  );
}

/** What a view keeps: everything but the page. */
const kept = (search: ListSearch): ListSearch => ({ ...search, page: undefined });

function Views({ layout, onClose }: TableOptionsProps & { onClose: () => void }) {
  const { t } = useTranslation('table');
  const [search, change] = useListSearch();
  const [name, setName] = useState('');
  const { views } = layout;
  const without = (name: string) => views.filter(it => it.name !== name);
  const apply = (view: SavedView) => {
    const none = Object.fromEntries(Object.keys(search).map(key => [key, undefined]));
    change({ ...none, ...view.search }, false);
    onClose();
  };
  const remove = (view: SavedView) => {
    layout.change({ views: without(view.name) });
    toastUndo(t('viewRemoved', { name: view.name }), () => layout.change({ views }));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (!trimmed) return;
    layout.change({ views: [...without(trimmed), { name: trimmed, search: kept(search) }] });
    setName('');
  };
  return (
    <fieldset>
      <legend>{t('views')}</legend>
      {views.length > 0 && (
        <ul className={classes.views}>
          {views.map(view => (
            <li key={view.name}>
              <button type="button" onClick={() => apply(view)}>
                {view.name}
              </button>
              <button type="button" aria-label={t('removeView', { name: view.name })} onClick={() => remove(view)}>
                <IconX size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className={classes.save} onSubmit={save}>
        <TextInput
          size="xs"
          aria-label={t('viewName')}
          placeholder={t('viewName')}
          maxLength={longestName}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={!name.trim()}>
          {t('saveView')}
        </Button>
      </form>
    </fieldset>
  );
}
