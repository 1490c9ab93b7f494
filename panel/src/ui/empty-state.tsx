import type { ReactNode } from 'react';
import { Illustration, type IllustrationName } from '#ui/illustration.tsx';
import classes from '#ui/state.module.css';

interface Props {
  drawing: IllustrationName;
  title: string;
  text: string;
  /** The next step, usually the button that also stands in the page's head. */
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
