import { LRUCache } from 'lru-cache';

export interface CacheOptions {
  /** The least recently used entry goes when one more would be too many. */
  readonly maxEntries: number;
  /** How long an entry is valid; forever where absent. */
  readonly ttlMs?: number;
  /** The clock of `ttlMs`, in milliseconds. */
  readonly now?: () => number;
}

export type Cache<K extends {}, V extends {}> = LRUCache<K, V>;

/**
 * A bounded cache. Each entry has a size of one. With `max` instead, the library would reserve 40 bytes for each possible
 * entry at once: 20 MB for an idle process.
 */
export const createCache = <K extends {}, V extends {}>({ maxEntries, ttlMs, now }: CacheOptions): Cache<K, V> =>
  new LRUCache<K, V>({
    maxSize: maxEntries,
    sizeCalculation: () => 1,
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
    // A clock of the caller's own is read each time; the default one at most once a millisecond.
    ...(now ? { perf: { now }, ttlResolution: 0 } : {}),
  });
