import { type Fairness, fairQueue, plainQueue } from './fair-queue.ts';

export interface BatcherOptions<T> {
  /** Maximum number of items in a batch. */
  readonly size: number;
  /** How long a batch collects at most, in milliseconds. */
  readonly waitMs: number;
  /** Maximum number of batches that run at the same time. */
  readonly inFlight: number;
  /** Maximum number of waiting items; `add` refuses more. */
  readonly capacity: number;
  /** Keeps one sender from delaying the items of others. Without it, items are taken as they came. */
  readonly fairness?: Fairness<T> | undefined;
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

/** A batch that takes longer than this, because it waits for a lock, no longer keeps the next one waiting. */
const longBatchMs = 5;

/**
 * Collects items into batches. A batch starts when it is full, or when a turn of the event loop brought no further item. So
 * items that arrive together share a batch, and none waits for a timer. Beside a running batch the next one starts only when
 * it is as large. A batch costs as much as a dozen items, and otherwise many small batches would run.
 */
export const createBatcher = <T>(options: BatcherOptions<T>): Batcher<T> => {
  const { size, waitMs, inFlight, capacity, fairness, run } = options;
  const queue = fairness ? fairQueue({ ...fairness, capacity }) : plainQueue<T>();
  let running = 0;
  /** Items in running batches. */
  let underWay = 0;
  let longBatch: NodeJS.Timeout | undefined;
  let collecting = false;
  let seen = 0;
  let since = 0;
  const idle: (() => void)[] = [];

  const flush = (): void => {
    while (queue.length() > 0 && running < inFlight) {
      const batch = queue.take(size);
      running += 1;
      underWay += batch.length;
      void run(batch).finally(() => finished(batch.length));
    }
  };

  const goOn = (): void => {
    longBatch = undefined;
    if (queue.length() > 0) flush();
  };

  const look = (): void => {
    if (queue.length() > seen && queue.length() < size && performance.now() - since < waitMs) {
      seen = queue.length();
      setImmediate(look);
      return;
    }
    collecting = false;
    flush();
  };

  const collect = (): void => {
    if (collecting || running >= inFlight) return;
    if (queue.length() < underWay) {
      longBatch ??= setTimeout(goOn, longBatchMs);
      return;
    }
    collecting = true;
    seen = 0;
    since = performance.now();
    setImmediate(look);
  };

  const finished = (size: number): void => {
    running -= 1;
    underWay -= size;
    if (running === 0) {
      clearTimeout(longBatch);
      longBatch = undefined;
    }
    if (queue.length() > 0) collect();
    else if (running === 0) for (const resolve of idle.splice(0)) resolve();
  };

  const add = (item: T): boolean => {
    if (queue.length() >= capacity || !queue.add(item)) return false;
    if (queue.length() >= size) flush();
    else collect();
    return true;
  };

  const drained = (): Promise<void> => {
    if (queue.length() === 0 && running === 0) return Promise.resolve();
    return new Promise(resolve => idle.push(resolve));
  };

  return { add, waiting: queue.length, drained };
};
