import type { ReactNode } from 'react';

interface Props {
  /** The query of the list above. */
  list: { data: unknown; error: unknown };
  children: ReactNode;
}

/**
 * The part below a list whose length is not known yet. It loads meanwhile, and appears with the list, so that it does not
 * jump.
 */
export const Below = ({ list, children }: Props) => (
  <div style={{ display: list.data || list.error ? 'contents' : 'none' }}>{children}</div>
);
