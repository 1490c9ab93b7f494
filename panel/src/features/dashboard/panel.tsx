import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/dashboard/dashboard.module.css';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  title: string;
  /** Unit or total, beside the title. */
  note?: string | undefined;
  /** At the right end of the head. */
  control?: ReactNode;
  query: { data: unknown; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown };
  /** Nothing was counted. */
  empty: boolean;
  children: ReactNode;
}

/** A titled part of the dashboard in any of its states. */
export function Panel({ title, note, control, query, empty, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id} data-busy={query.isPlaceholderData || undefined}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span>{note}</span>}
        {control && <div>{control}</div>}
      </header>
      {query.data ? (
        empty ? (
          <div className={classes.nothing}>
            <i aria-hidden="true" />
            <strong>{t('notEnough.title')}</strong>
            <p>{t('notEnough.text')}</p>
          </div>
        ) : (
          children
        )
      ) : query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.waiting} role="status" aria-label={t('loading')} />
      )}
    </section>
  );
}
