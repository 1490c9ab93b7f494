import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadError } from '#ui/load-error.tsx';
import classes from '#ui/panel.module.css';
import { useSlow } from '#ui/use-slow.ts';

interface Props {
  title: string;
  /** Unit or total, next to the title. */
  note?: string | undefined;
  /** At the end of the header. */
  control?: ReactNode;
  query: { data: unknown; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown };
  /** Shown when there is no data. */
  empty?: ReactNode;
  children: ReactNode;
}

/** A titled section of a dashboard: loading, failed, empty or with data. */
export function Panel({ title, note, control, query, empty, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const isSlow = useSlow(query.isPlaceholderData);
  return (
    <section className={classes.panel} aria-labelledby={id} data-busy={isSlow || undefined}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span>{note}</span>}
        {control && <div>{control}</div>}
      </header>
      {query.data ? (
        empty || children
      ) : query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.waiting} role="status" aria-busy aria-label={t('loading')} />
      )}
    </section>
  );
}

/** Shown when the period has no data. */
export function NoData() {
  const { t } = useTranslation();
  return (
    <div className={classes.notEnough}>
      <i aria-hidden="true" />
      <strong>{t('notEnough.title')}</strong>
      <p>{t('notEnough.text')}</p>
    </div>
  );
}

/** One sentence instead of the data. */
export const Nothing = ({ children }: { children: ReactNode }) => <p className={classes.nothing}>{children}</p>;
