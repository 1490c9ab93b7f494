/** The items that wait for a batch. */
export interface Queue<T> {
  /** False when its sender has enough waiting items. */
  readonly add: (item: T) => boolean;
  /** Takes at most `size` items. */
  readonly take: (size: number) => T[];
  readonly length: () => number;
}

/** The share of an item. Work on the same subject is done one after another. Senders and subjects belong to one tenant. */
export interface Share {
  readonly tenant: string;
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
  const items: T[] = [];
  return {
    add: item => items.push(item) > 0,
    take: size => items.splice(0, size),
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
function tenantQueue<T>({ perSubject, perSender }: Pick<Fairness<T>, 'perSubject' | 'perSender'>) {
  let entries: Entry<T>[] = [];
  const waiting = new Map<string, number>();

  const leave = (sender: string): void => {
    const left = (waiting.get(sender) ?? 1) - 1;
    if (left > 0) waiting.set(sender, left);
    else waiting.delete(sender);
  };

  return {
    add: (entry: Entry<T>): boolean => {
      const before = waiting.get(entry.sender) ?? 0;
      if (before >= perSender) return false;
      waiting.set(entry.sender, before + 1);
      entries.push(entry);
      return true;
    },
    take: (size: number): T[] => {
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
      entries = [...left, ...entries.slice(at)];
      return taken;
    },
    length: (): number => entries.length,
  };
}

/** A tenant may have this many times as many items waiting as there is room left. */
const perRoom = 3;

/**
 * A queue per tenant. However many items a tenant has waiting, there is room for those of others, and each batch has its share
 * of them. Tenants that were not served for the longest time come first. What one leaves of its share is for those with more.
 */
export function fairQueue<T>({ of, capacity, ...limits }: Fairness<T> & { readonly capacity: number }): Queue<T> {
  const queues = new Map<string, ReturnType<typeof tenantQueue<T>>>();
  let length = 0;

  const takeOf = (tenant: string, size: number): T[] => {
    const queue = queues.get(tenant)!;
    const taken = queue.take(size);
    length -= taken.length;
    queues.delete(tenant);
    if (queue.length() > 0) queues.set(tenant, queue);
    return taken;
  };

  return {
    add: item => {
      const share = of(item);
      const queue = queues.get(share.tenant) ?? tenantQueue<T>(limits);
      if (queue.length() >= perRoom * (capacity - length) || !queue.add({ ...share, item })) return false;
      queues.set(share.tenant, queue);
      length += 1;
      return true;
    },
    take: size => {
      const served = [...queues.keys()].slice(0, size);
      const isScarce = length > size;
      // Tenants with the fewest packets come first: the rest of their share is divided among the others.
      if (isScarce) served.sort((a, b) => queues.get(a)!.length() - queues.get(b)!.length());
      const batch: T[] = [];
      for (const [at, tenant] of served.entries()) {
        const share = isScarce ? Math.ceil((size - batch.length) / (served.length - at)) : size;
        batch.push(...takeOf(tenant, share));
      }
      return batch;
    },
    length: () => length,
  };
}
