/** Limits how many streams are open at once under each key. */
export function createStreamLimit() {
  const open = new Map<string, number>();

  function add(key: string, change: number): void {
    const count = (open.get(key) ?? 0) + change;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  }

  /**
   * Counts a stream under every key of `max`. Returns the function that ends it, or undefined when one of the keys has
   * reached its maximum.
   */
  return function acquire(max: Readonly<Record<string, number>>): (() => void) | undefined {
    const keys = Object.keys(max);
    if (keys.some(key => (open.get(key) ?? 0) >= max[key]!)) return undefined;
    for (const key of keys) add(key, 1);
    let isOpen = true;
    return () => {
      if (isOpen) for (const key of keys) add(key, -1);
      isOpen = false;
    };
  };
}
