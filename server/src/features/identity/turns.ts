interface Waiting {
  readonly who: string;
  readonly go: () => void;
}

export interface Turns {
  /** Resolves when it is one's turn, with what ends the turn; rejects with the error given when too many wait, or for too long. */
  take: (who: string) => Promise<() => void>;
}

/**
 * A few at once, and of each one only one: who asks much waits behind itself, not others behind it. Of those who wait, the first
 * whose own turn is over goes on.
 */
export function createTurns(it: { atOnce: number; waiting: number; waitMs: number; refusal: () => Error }): Turns {
  const busy = new Set<string>();
  const line: Waiting[] = [];
  const free = (who: string) => busy.size < it.atOnce && !busy.has(who);

  const end = (who: string) => () => {
    busy.delete(who);
    const next = line.findIndex(one => free(one.who));
    if (next >= 0) line.splice(next, 1)[0]!.go();
  };

  const wait = (who: string) =>
    new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        line.splice(line.indexOf(entry), 1);
        reject(it.refusal());
      }, it.waitMs);
      const entry: Waiting = {
        who,
        go: () => {
          clearTimeout(late);
          busy.add(who);
          resolve();
        },
      };
      line.push(entry);
    });

  return {
    async take(who) {
      if (free(who)) busy.add(who);
      else if (line.filter(one => one.who === who).length >= it.waiting) throw it.refusal();
      else await wait(who);
      return end(who);
    },
  };
}
