import { AppError } from '#http/app-error.ts';

const forgetMs = 15 * 60_000;
const most = 50_000;

/** Slows down guessing: after `free` failures of a key each further try has to wait, twice as long every time, up to 15 minutes. */
export function createThrottle(free: number, now: () => number = Date.now) {
  const failures = new Map<string, { count: number; until: number; at: number }>();
  const underWay = new Map<string, number>();

  function drop(): void {
    for (const [key, it] of failures) if (now() - it.at > forgetMs && it.until < now()) failures.delete(key);
    // Should an attacker still fill it, the oldest go: what counts is that memory stays bounded.
    for (const key of failures.keys()) {
      if (failures.size <= most) break;
      failures.delete(key);
    }
  }

  /** Throws 429 while the key has to wait. */
  function check(key: string): void {
    const it = failures.get(key);
    if (it && it.until > now())
      throw new AppError('too_many', { values: { seconds: Math.ceil((it.until - now()) / 1000) } });
  }

  return {
    check,
    /** As check, and no more tries at once than may fail: none of them knows yet how the others end. Answers what ends this one. */
    begin(key: string): () => void {
      check(key);
      const known = failures.get(key);
      const failed = known && now() - known.at < forgetMs ? known.count : 0;
      const others = underWay.get(key) ?? 0;
      if (others >= Math.max(1, free - failed)) throw new AppError('too_many', { values: { seconds: 1 } });
      underWay.set(key, others + 1);
      return () => {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      };
    },
    failed(key: string): void {
      const before = failures.get(key);
      const count = before && now() - before.at < forgetMs ? before.count + 1 : 1;
      const waitMs = count < free ? 0 : Math.min(forgetMs, 1000 * 2 ** (count - free));
      failures.delete(key);
      failures.set(key, { count, at: now(), until: now() + waitMs });
      if (failures.size > most) drop();
    },
    succeeded(key: string): void {
      failures.delete(key);
    },
  };
}
