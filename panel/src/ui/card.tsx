import type { ReactNode } from 'react';
import classes from '#ui/card.module.css';

interface Props {
  title?: string;
  description?: string | undefined;
  children: ReactNode;
}

/** A bordered part of a screen with its own title. */
export function Card({ title, description, children }: Props) {
  return (
    <section className={classes.card}>
      {title && (
        <header>
          <h2>{title}</h2>
          {description && <p>{description}</p>}
        </header>
      )}
      {children}
    </section>
  );
}
