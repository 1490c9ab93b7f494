import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '#ui/copy-button.tsx';
import classes from '#ui/facts.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** The text to copy; without it there is no copy button. */
  copy?: string | undefined;
  /** Uses a fixed-width font, for addresses and keys. */
  code?: boolean;
}

/** Read-only facts as a list of names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, copy, code }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>
            {code ? <code>{value}</code> : <span>{value}</span>}
            {copy && <CopyButton value={copy} label={label} />}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
