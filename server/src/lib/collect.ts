/**
 * Collects items, and sends those of `everyMs` together, one batch at a time: what comes meanwhile waits for the next one. `send` must
 * not reject. Items that wait when the process ends are lost.
 */
export function collect<T>(everyMs: number, send: (items: readonly T[]) => Promise<void>): (item: T) => void {
  let items: T[] = [];
  let isBusy = false;
  const flush = async (): Promise<void> => {
    const sent = items;
    items = [];
    await send(sent);
    isBusy = false;
    if (items.length > 0) begin();
  };
  const begin = (): void => {
    isBusy = true;
    setTimeout(() => void flush(), everyMs).unref();
  };
  return item => {
    items.push(item);
    if (!isBusy) begin();
  };
}
