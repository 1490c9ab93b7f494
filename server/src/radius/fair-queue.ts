/** The items that wait for a batch. */
export interface Queue<T> {
  /** False when its sender has enough waiting items. */
  readonly add: (item: T) => boolean;
  /** Takes at most `size` items. */
  readonly take: (size: number) => T[];
  readonly length: () => number;
}

export interface Fairness<T> {
  /** Who sent an item, and what it is about: work on the same subject is done one after another. */
  readonly of: (item: T) => { readonly sender: string; readonly subjects: readonly string[] };
  /** The most items about one subject in a batch. */
  readonly perSubject: number;
  /** The most waiting items of a sender. */
  readonly perSender: number;
}

/** First come, first served. */
export function plainQueue<T>(): Queue<T> {
  let items: T[] = [];
  return {
    add: item => items.push(item) > 0,
    take: size => {
      const taken = items.length <= size ? items : items.slice(0, size);
      items = items.length <= size ? [] : items.slice(size);
      return taken;
    },
    length: () => items.length,
  };
}

interface Entry<T> {
  readonly item: T;
  readonly sender: string;
  readonly subjects: readonly string[];
}

/**
 * A batch with many items about one subject takes long, and what others sent waits for it. So a batch has `perSubject` of them. The
 * rest, and what their senders sent after them, keeps its place for the next batch, so that the items of a sender stay in order.
 */
export function fairQueue<T>({ of, perSubject, perSender }: Fairness<T>): Queue<T> {
  let entries: Entry<T>[] = [];
  const waiting = new Map<string, number>();

  const leave = (sender: string): void => {
    const left = (waiting.get(sender) ?? 1) - 1;
    if (left > 0) waiting.set(sender, left);
    else waiting.delete(sender);
  };

  return {
    add: item => {
      const { sender, subjects } = of(item);
      const before = waiting.get(sender) ?? 0;
      if (before >= perSender) return false;
      waiting.set(sender, before + 1);
      entries.push({ item, sender, subjects });
      return true;
    },
    take: size => {
      const taken: T[] = [];
      const left: Entry<T>[] = [];
      const counts = new Map<string, number>();
      const held = new Set<string>();
      let at = 0;
      for (; at < entries.length && taken.length < size; at++) {
        const entry = entries[at]!;
        const { sender, subjects } = entry;
        if (held.has(sender) || subjects.some(it => counts.get(it) === perSubject)) {
          held.add(sender);
          left.push(entry);
          continue;
        }
        for (const it of subjects) counts.set(it, (counts.get(it) ?? 0) + 1);
        leave(sender);
        taken.push(entry.item);
      }
      entries = at < entries.length ? [...left, ...entries.slice(at)] : left;
      return taken;
    },
    length: () => entries.length,
  };
}
