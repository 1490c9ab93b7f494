import type { ReactNode } from 'react';
import classes from '#ui/status-dot.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle' | 'busy';

/** A state in words with a dot whose shape differs as well: full, ring or half, never colour alone. */
export function StatusDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  );
}
