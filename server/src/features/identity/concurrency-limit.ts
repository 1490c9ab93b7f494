interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

export interface ConcurrencyLimit {
  /** Waits for a turn and resolves with the function that ends it. Rejects if too many callers wait, or after `maxWaitMs`. */
  take: (key: string) => Promise<() => void>;
}

/**
 * Limits concurrent work: at most `maxRunning` in total and one per key. A key with much work does not delay other keys. The
 * next turn goes to the first waiting caller whose key is not running.
 */
export function createConcurrencyLimit(it: {
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs: number;
  refusal: () => Error;
}): ConcurrencyLimit {
  const running = new Set<string>();
  const queue: Waiting[] = [];
  const canRun = (key: string) => running.size < it.maxRunning && !running.has(key);

  const release = (key: string) => () => {
    running.delete(key);
    const next = queue.findIndex(one => canRun(one.key));
    if (next >= 0) queue.splice(next, 1)[0]!.start();
  };

  const wait = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(entry), 1);
        reject(it.refusal());
      }, it.maxWaitMs);
      const entry: Waiting = {
        key,
        start: () => {
          clearTimeout(timer);
          running.add(key);
          resolve();
        },
      };
      queue.push(entry);
    });

  return {
    async take(key) {
      if (canRun(key)) running.add(key);
      else if (queue.filter(one => one.key === key).length >= it.maxWaiting) throw it.refusal();
      else await wait(key);
      return release(key);
    },
  };
}
