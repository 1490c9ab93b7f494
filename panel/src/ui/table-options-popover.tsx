import { Checkbox, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useListSearch } from '#lib/search.ts';
import { AnchoredPopover } from '#ui/anchored-popover.tsx';
import { SavedViews } from '#ui/saved-views.tsx';
import type { TableLayout } from '#ui/table-layout.ts';
import classes from '#ui/table-options.module.css';

export interface TableOptionsProps {
  layout: TableLayout;
  columns: readonly { key: string; label: string }[];
  /** The page sizes to choose from. The first is the list's own. */
  pageSizes?: readonly number[];
}

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
        <SavedViews layout={layout} onApplied={onClose} />
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
