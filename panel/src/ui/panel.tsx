import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadError } from '#ui/load-error.tsx';
import classes from '#ui/panel.module.css';

interface Props {
  title: string;
  /** Unit or total, beside the title. */
  note?: string | undefined;
  /** At the right end of the head. */
  control?: ReactNode;
  query: { data: unknown; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown };
  /** What stands there when nothing was counted. */
  empty?: ReactNode;
  children: ReactNode;
}

/** A titled part of a screen of figures, in any of its states. */
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
        empty || children
      ) : query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.waiting} role="status" aria-label={t('loading')} />
      )}
    </section>
  );
}

/** The period has nothing to draw. */
export function NotEnough() {
  const { t } = useTranslation();
  return (
    <div className={classes.notEnough}>
      <i aria-hidden="true" />
      <strong>{t('notEnough.title')}</strong>
      <p>{t('notEnough.text')}</p>
    </div>
  );
}

/** One sentence in place of the figures. */
export const Nothing = ({ children }: { children: ReactNode }) => <p className={classes.nothing}>{children}</p>;
