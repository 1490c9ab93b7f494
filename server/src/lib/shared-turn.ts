/**
 * Does one piece of work after another. Owners take turns, and each may have as many pieces waiting as there is room left. One
 * owner with much work keeps no other one out.
 */
export function createSharedTurn(maxWaiting: number) {
  /** The waiting work of each owner. The owner that was served longest ago comes first. */
  const starts = new Map<string, (() => void)[]>();
  const counts = new Map<string, number>();
  let total = 0;
  let isBusy = false;

  function next(): void {
    const [first] = starts;
    isBusy = first !== undefined;
    if (!first) return;
    const [owner, [start, ...later]] = first;
    starts.delete(owner);
    if (later.length > 0) starts.set(owner, later);
    start?.();
  }

  async function work<T>(owner: string, doIt: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>();
    starts.set(owner, [...(starts.get(owner) ?? []), turn.resolve]);
    if (!isBusy) next();
    await turn.promise;
    try {
      return await doIt();
    } finally {
      next();
    }
  }

  /** Undefined when too much waits. */
  return function take<T>(owner: string, doIt: () => Promise<T>): Promise<T> | undefined {
    const own = counts.get(owner) ?? 0;
    if (own >= maxWaiting - total) return undefined;
    counts.set(owner, own + 1);
    total += 1;
    return work(owner, doIt).finally(() => {
      total -= 1;
      const left = counts.get(owner)! - 1;
      if (left > 0) counts.set(owner, left);
      else counts.delete(owner);
    });
  };
}
