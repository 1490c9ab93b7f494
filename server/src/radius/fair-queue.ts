/** The items that wait for a batch. */
export interface Queue<T> {
  /** False when its sender has enough waiting items. */
  readonly add: (item: T) => boolean;
  /** Takes at most `size` items. */
  readonly take: (size: number) => T[];
  readonly length: () => number;
}

/** The share of an item. Work on the same subject is done one after another. */
export interface Share {
  readonly sender: string;
  readonly subjects: readonly string[];
  /** The item concerns all that its sender sent before it and after it, so it keeps its place among these. */
  readonly barrier?: boolean;
}

export interface Fairness<T> {
  readonly of: (item: T) => Share;
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

interface Entry<T> extends Share {
  readonly item: T;
}

/**
 * A batch with many items about one subject takes long, and the items of others wait for it. So a batch has at most `perSubject` of
 * them. The rest stays for the next batch, and so does each later item about the same subjects, so that these stay in order.
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
      const share = of(item);
      const before = waiting.get(share.sender) ?? 0;
      if (before >= perSender) return false;
      waiting.set(share.sender, before + 1);
      entries.push({ ...share, item });
      return true;
    },
    take: size => {
      const taken: T[] = [];
      const left: Entry<T>[] = [];
      const counts = new Map<string, number>();
      /** The subjects and the senders of items that stay, and the senders of barriers that stay. */
      const [subjectsLeft, sendersLeft, stopped] = [new Set<string>(), new Set<string>(), new Set<string>()];
      const stays = ({ sender, subjects, barrier }: Share): boolean =>
        stopped.has(sender) ||
        (barrier === true && sendersLeft.has(sender)) ||
        subjects.some(it => subjectsLeft.has(it) || (counts.get(it) ?? 0) >= perSubject);
      let at = 0;
      for (; at < entries.length && taken.length < size; at++) {
        const entry = entries[at]!;
        if (stays(entry)) {
          left.push(entry);
          sendersLeft.add(entry.sender);
          if (entry.barrier) stopped.add(entry.sender);
          for (const it of entry.subjects) subjectsLeft.add(it);
          continue;
        }
        for (const it of entry.subjects) counts.set(it, (counts.get(it) ?? 0) + 1);
        leave(entry.sender);
        taken.push(entry.item);
      }
      entries = at < entries.length ? [...left, ...entries.slice(at)] : left;
      return taken;
    },
    length: () => entries.length,
  };
}
