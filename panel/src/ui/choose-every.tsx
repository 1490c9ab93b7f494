import { useMediaQuery } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import type { Matching, Selection } from '#ui/selection.ts';
import classes from '#ui/selection-bar.module.css';

export interface ChooseEvery {
  readonly pending: boolean;
  /** The button, while a whole page is selected and more rows match; on a phone, while not all are selected. */
  readonly button: ReactNode;
}

/** Replaces the selection by the first rows of all pages. `most` is the limit of one action. */
export function useChooseEvery<Row>(
  selection: Selection<Row>,
  { rows, total, load }: Matching<Row>,
  most: number,
): ChooseEvery {
  const { t } = useTranslation('table');
  const [search] = useListSearch();
  const { mutate, reset, isPending: pending } = useMutation({ mutationFn: () => load(most) });
  // Another filter, order or page: the answer no longer counts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search is the reason to reset
  useEffect(() => reset, [search, reset]);
  const count = Math.min(total, most);
  // A phone has no head of the table with a box for the whole page.
  const isPhone = useMediaQuery('(max-width: 700px)');
  const isWholePage = total > rows.length && rows.every(selection.has);
  const offered = rows.length > 0 && selection.rows.size !== count && (isPhone || isWholePage);
  const choose = ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    if (pending) return;
    // This callback is dropped when the bar is gone or the mutation was reset.
    mutate(undefined, {
      onSuccess: ({ data }) => {
        // The button goes, and would take the focus with it.
        if (document.activeElement === button) button.closest('section')?.focus();
        selection.replace(data);
      },
    });
  };
  return {
    pending,
    button: offered && (
      <button type="button" className={classes.every} aria-disabled={pending} onClick={choose}>
        {t(total > most ? 'chooseFirst' : 'chooseEvery', { number: formatNumber(count) })}
      </button>
    ),
  };
}
