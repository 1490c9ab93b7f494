export interface Collector<T> {
  readonly add: (item: T) => void;
  /** Sends what waits and takes nothing more. Before the database closes: a late batch would find it closed. */
  readonly end: () => Promise<void>;
}

/**
 * Collects items, and sends those of `everyMs` together, one batch at a time: what comes meanwhile waits for the next one. `send` must
 * not reject. Items that wait when the process is killed are lost.
 */
export function collect<T>(everyMs: number, send: (items: readonly T[]) => Promise<void>): Collector<T> {
  let items: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isOver = false;
  const flush = async (): Promise<void> => {
    timer = undefined;
    const sent = items;
    items = [];
    await send(sent);
    sending = undefined;
    if (items.length > 0) begin();
  };
  const begin = (): void => {
    timer = setTimeout(() => {
      sending = flush();
    }, everyMs).unref();
  };
  return {
    add: item => {
      if (isOver) return;
      items.push(item);
      if (!timer && !sending) begin();
    },
    end: async () => {
      await sending;
      isOver = true;
      clearTimeout(timer);
      if (items.length > 0) await flush();
    },
  };
}
