import type { ReactNode } from 'react';
import classes from '#ui/status-dot.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle' | 'busy';

/** A status text with a dot. The shape of the dot differs too, so that colour is never the only cue. */
export function StatusDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  );
}
