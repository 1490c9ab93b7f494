import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/logs/logs.module.css';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  title: string;
  note?: string | undefined;
  control?: ReactNode;
  query: { data: unknown; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown };
  /** What stands there when nothing was counted. */
  empty: string | undefined;
  children: ReactNode;
}

/** A titled part of a log screen in any of its states. */
export function LogPanel({ title, note, control, query, empty, children }: Props) {
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
          <p className={classes.nothing}>{empty}</p>
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
