import type { ReactNode } from 'react';
import { EmailText } from '#ui/email-text.tsx';
import classes from '#ui/row-name.module.css';

interface Props {
  name: string;
  /** Opens the row by keyboard; without it the name is plain text. */
  onOpen?: (() => void) | undefined;
  /** Tags beside the name. */
  children?: ReactNode;
}

/** The first cell of a row that opens a dialog instead of a screen. */
export function RowName({ name, onOpen, children }: Props) {
  const text = name.includes('@') ? <EmailText email={name} /> : name;
  return (
    <span className={classes.name}>
      {onOpen ? (
        <button type="button" onClick={onOpen}>
          {text}
        </button>
      ) : (
        text
      )}
      {children}
    </span>
  );
}
