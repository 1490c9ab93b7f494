/** Places for what stays open, such as streams: at most so many under each key at once. */
export function createPlaces() {
  const taken = new Map<string, number>();
  const count = (key: string): number => taken.get(key) ?? 0;

  function add(key: string, by: number): void {
    const now = count(key) + by;
    if (now > 0) taken.set(key, now);
    else taken.delete(key);
  }

  /** Takes a place under every key; answers how to give them back (once), or undefined when one has none left. */
  return function claim(most: Readonly<Record<string, number>>): (() => void) | undefined {
    const keys = Object.keys(most);
    if (keys.some(key => count(key) >= most[key]!)) return undefined;
    for (const key of keys) add(key, 1);
    let held = true;
    return () => {
      if (held) for (const key of keys) add(key, -1);
      held = false;
    };
  };
}
