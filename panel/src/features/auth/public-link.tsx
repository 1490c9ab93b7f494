import type { MouseEvent, ReactNode } from 'react';
import { goTo } from '#lib/public-navigation.ts';

/** A link between the screens before sign-in, without a page load unless it is opened elsewhere. */
export function PublicLink({ to, children }: { to: string; children: ReactNode }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  );
}
