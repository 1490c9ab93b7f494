import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { takeCalls } from './throttle.queries.ts';

/** A process takes this share of a limit at once, so that few calls need a query of their own. */
const share = 0.05;

interface Taken {
  left: number;
  readonly until: number;
  /** No process has calls left until then. */
  readonly isOver: boolean;
}

const tooMany = (ms: number) => new AppError('too_many', { values: { seconds: Math.max(1, Math.ceil(ms / 1000)) } });

/**
 * Limits calls per minute, or another time, and key over all processes. Other processes cannot use the calls that one process
 * has reserved until the time ends. So the limit may be reached a few percent early.
 */
export function createCallLimit(name: string, windowSeconds = 60) {
  const taken = createCache<string, Taken>({ maxEntries: 10_000 });
  return async (app: Pick<App, 'db' | 'secrets'>, key: string, limit: number): Promise<void> => {
    const own = taken.get(key);
    const rest = own ? own.until - steadyNow() : 0;
    if (own && rest > 0) {
      if (own.isOver) throw tooMany(rest);
      if (own.left > 0) {
        own.left -= 1;
        return;
      }
    }
    const hash = app.secrets.index(`calls|${name}|${key}`);
    const longest = windowSeconds * 1000;
    const take = async (calls: number) => {
      const ms = await app.db.withSystem(tx => takeCalls(tx, hash, { calls, limit, windowSeconds }));
      // After the clock of the database was set back, the stored end may be days away.
      return Math.max(-longest, Math.min(longest, ms));
    };
    let calls = Math.max(1, Math.floor(limit * share));
    let ms = await take(calls);
    if (ms < 0 && calls > 1) {
      calls = 1;
      ms = await take(calls);
    }
    // Calls at the same time have each reserved some.
    const others = taken.get(key);
    const left = others && others.until > steadyNow() ? others.left : 0;
    if (ms < 0) {
      if (left === 0) taken.set(key, { left, until: steadyNow() - ms, isOver: true });
      throw tooMany(-ms);
    }
    taken.set(key, { left: left + calls - 1, until: steadyNow() + ms, isOver: false });
  };
}
