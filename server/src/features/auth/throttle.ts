import { AppError } from '#http/app-error.ts';

const windowMs = 15 * 60_000;
const most = 50_000;

interface Failures {
  readonly count: number;
  /** Since when the first of them fades. */
  readonly at: number;
  readonly until: number;
}

/**
 * Slows down guessing: once `free` failures of a key stand, each further one makes it wait, twice as long every time. They fade
 * one by one, all `free` within 15 minutes: of a venue's address, behind which somebody always mistypes, they would add up otherwise.
 */
export function createThrottle(free: number, now: () => number = Date.now) {
  const stepMs = windowMs / free;
  const failures = new Map<string, Failures>();
  const underWay = new Map<string, number>();

  function standing(key: string): { count: number; at: number } {
    const it = failures.get(key);
    if (!it) return { count: 0, at: now() };
    const faded = Math.floor((now() - it.at) / stepMs);
    return faded < it.count ? { count: it.count - faded, at: it.at + faded * stepMs } : { count: 0, at: now() };
  }

  function drop(): void {
    for (const [key, it] of failures) if (it.until < now() && standing(key).count === 0) failures.delete(key);
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
      const others = underWay.get(key) ?? 0;
      if (others >= Math.max(1, free - standing(key).count)) throw new AppError('too_many', { values: { seconds: 1 } });
      underWay.set(key, others + 1);
      return () => {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      };
    },
    failed(key: string): void {
      const before = standing(key);
      const count = before.count + 1;
      const waitMs = count < free ? 0 : Math.min(windowMs, 1000 * 2 ** (count - free));
      failures.delete(key);
      failures.set(key, { count, at: before.at, until: now() + waitMs });
      if (failures.size > most) drop();
    },
    succeeded(key: string): void {
      failures.delete(key);
    },
  };
}
