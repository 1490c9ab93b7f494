/**
 * Collects items, and sends those of `everyMs` together. `send` must not reject. What waits when the process ends is lost.
 */
export function collect<T>(everyMs: number, send: (items: readonly T[]) => Promise<void>): (item: T) => void {
  let items: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const sent = items;
    timer = undefined;
    items = [];
    void send(sent);
  };
  return item => {
    items.push(item);
    timer ??= setTimeout(flush, everyMs).unref();
  };
}
