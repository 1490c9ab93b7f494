import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import type { Matching, Selection } from '#ui/selection.ts';
import classes from '#ui/selection-bar.module.css';

interface Props<Row> {
  selection: Selection<Row>;
  matching: Matching<Row>;
  /** The most rows of one action. */
  most: number;
}

/** Once a whole page is selected: selects what matches on the other pages too. */
export function ChooseEvery<Row>({ selection, matching: { rows, total, load }, most }: Props<Row>) {
  const { t } = useTranslation('table');
  const every = useMutation({
    mutationFn: () => load(most),
    onSuccess: ({ data }) => selection.set(data, true),
  });
  const chosen = selection.rows.size;
  if (total <= rows.length || chosen < rows.length || chosen >= Math.min(total, most)) return null;
  const number = formatNumber(Math.min(total, most));
  return (
    <button type="button" className={classes.every} disabled={every.isPending} onClick={() => every.mutate()}>
      {t(total > most ? 'chooseFirst' : 'chooseEvery', { number })}
    </button>
  );
}
