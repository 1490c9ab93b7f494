/** Moving between the screens before sign-in, which run without the router. */

const listeners = new Set<() => void>();

export function onPathChange(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

export function goTo(path: string): void {
  history.pushState(null, '', path);
  scrollTo(0, 0);
  for (const listener of listeners) listener();
}
