import type { ReactNode } from 'react';
import classes from '#ui/tag.module.css';

/** A short word beside a name: default, trial, paid. */
export function Tag({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'accent' | 'good' | 'warn' | 'bad';
  children: ReactNode;
}) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
