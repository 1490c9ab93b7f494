import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';

/**
 * Keys that this process found blocked, so that a flood of attempts does not cost a query each. A success in another process can lift
 * a block, so the database is asked again after a second.
 */
const rememberedMs = 1000;

interface Block {
  /** In milliseconds of performance.now(). */
  readonly until: number;
  readonly askAgain: number;
}

const known = new WeakMap<App['db'], ReturnType<typeof createCache<string, Block>>>();

export function knownBlocks({ db }: Pick<App, 'db'>) {
  const blocks = known.get(db) ?? createCache<string, Block>({ maxEntries: 10_000 });
  known.set(db, blocks);
  return {
    /** The seconds until the last of these keys is free; 0: none of them is known to be blocked. */
    seconds(keys: readonly Buffer[]): number {
      const now = performance.now();
      const waits = keys.map(key => {
        const block = blocks.get(key.toString('base64'));
        return block && block.askAgain > now ? block.until - now : 0;
      });
      return Math.ceil(Math.max(0, ...waits) / 1000);
    },
    add(key: Buffer, ms: number): void {
      const now = performance.now();
      blocks.set(key.toString('base64'), { until: now + ms, askAgain: now + Math.min(ms, rememberedMs) });
    },
    forget(key: Buffer): void {
      blocks.delete(key.toString('base64'));
    },
    clear: () => blocks.clear(),
  };
}
