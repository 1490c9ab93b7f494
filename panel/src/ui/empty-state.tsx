import type { ReactNode } from 'react';
import { Illustration, type IllustrationName } from '#ui/illustration.tsx';
import classes from '#ui/state.module.css';

interface Props {
  drawing: IllustrationName;
  title: string;
  text: string;
  /** The next step, usually the same button as in the page header. */
  children?: ReactNode;
}

export function EmptyState({ drawing, title, text, children }: Props) {
  return (
    <div className={classes.state}>
      <Illustration name={drawing} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
