const ignore = (): void => undefined;

/**
 * Runs work of the same key one after another. All callers during a run share the next one. It begins afterwards, so it sees
 * the changes that they made. Many calls at once cost two runs.
 */
export function createTurns() {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function run(key: string, work: () => Promise<void>): Promise<void> {
    const it = work().finally(() => running.delete(key));
    running.set(key, it);
    return it;
  }

  return (key: string, work: () => Promise<void>): Promise<void> => {
    const [now, waiting] = [running.get(key), next.get(key)];
    if (waiting) return waiting;
    if (!now) return run(key, work);
    const later = now.then(ignore, ignore).then(() => {
      next.delete(key);
      return run(key, work);
    });
    next.set(key, later);
    return later;
  };
}
