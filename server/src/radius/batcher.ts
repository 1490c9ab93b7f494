export interface BatcherOptions<T> {
  /** Maximum number of items in a batch. */
  readonly size: number;
  /** How long the first item of a batch waits for more while other batches run, in milliseconds. */
  readonly waitMs: number;
  /** Maximum number of batches that run at the same time. */
  readonly inFlight: number;
  /** Maximum number of waiting items; `add` refuses more. */
  readonly capacity: number;
  /** Must not reject. */
  readonly run: (batch: T[]) => Promise<void>;
}

export interface Batcher<T> {
  /** False when the queue is full. */
  readonly add: (item: T) => boolean;
  readonly waiting: () => number;
  /** Resolves when no item waits and no batch runs. */
  readonly drained: () => Promise<void>;
}

/** Collects items into batches. A batch starts at once when idle, else when it is full or after a short wait. */
export const createBatcher = <T>({ size, waitMs, inFlight, capacity, run }: BatcherOptions<T>): Batcher<T> => {
  let queue: T[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let soon = false;
  const idle: (() => void)[] = [];

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0 && running < inFlight) {
      const batch = queue.length <= size ? queue : queue.slice(0, size);
      queue = queue.length <= size ? [] : queue.slice(size);
      running += 1;
      void run(batch).finally(finished);
    }
  };

  const finished = (): void => {
    running -= 1;
    if (queue.length > 0) flush();
    else if (running === 0) for (const resolve of idle.splice(0)) resolve();
  };

  const flushSoon = (): void => {
    soon = false;
    flush();
  };

  const add = (item: T): boolean => {
    if (queue.length >= capacity) return false;
    queue.push(item);
    if (queue.length >= size) flush();
    else if (running === 0 && !soon) {
      // Waits for this turn of the event loop, so that packets already in the socket buffer share the batch.
      soon = true;
      setImmediate(flushSoon);
    } else if (running > 0) timer ??= setTimeout(flush, waitMs);
    return true;
  };

  const drained = (): Promise<void> => {
    if (queue.length === 0 && running === 0) return Promise.resolve();
    return new Promise(resolve => idle.push(resolve));
  };

  return { add, waiting: () => queue.length, drained };
};
