/** Navigation between the screens before sign-in, which run without the router. */

const listeners = new Set<() => void>();

export function onPathChange(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

/** `state` is passed to the next screen without appearing in the address. */
export function goTo(path: string, state: unknown = null): void {
  history.pushState(state, '', path);
  scrollTo(0, 0);
  for (const listener of listeners) listener();
}
