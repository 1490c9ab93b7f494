import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/table-skeleton.module.css';

const lengths = [62, 44, 71, 53, 38, 66, 49, 58];

/** The shape of the table before its rows arrive. */
export function TableSkeleton({ columns, withActions }: { columns: readonly { key: string }[]; withActions: boolean }) {
  const { t } = useTranslation();
  const count = columns.length + (withActions ? 1 : 0);
  return (
    <div className={classes.frame} role="status" aria-busy aria-label={t('loading')}>
      {lengths.map((length, row) => (
        <div key={length} className={classes.row} style={{ '--columns': count - 1 } as CSSProperties}>
          {Array.from({ length: count }, (_, column) => column).map(column => (
            <span key={column} style={{ width: `${lengths[(row + column * 3) % lengths.length]}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}
