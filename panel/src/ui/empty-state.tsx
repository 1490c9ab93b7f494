import type { ReactNode } from 'react';
import { Illustration, type IllustrationName } from '#ui/illustration.tsx';
import classes from '#ui/state.module.css';
import { StateHeading } from '#ui/state-heading.tsx';

interface Props {
  drawing: IllustrationName;
  title: string;
  text?: string;
  /** Replaces a whole screen. */
  screen?: boolean;
  /** The next step, usually the same button as in the page header. */
  children?: ReactNode;
}

export function EmptyState({ drawing, title, text, screen = false, children }: Props) {
  return (
    <div className={classes.state}>
      <Illustration name={drawing} />
      <StateHeading title={title} screen={screen} />
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}
