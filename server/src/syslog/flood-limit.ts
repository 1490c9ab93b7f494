import { createCache } from '#lib/cache.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket per device and source address: `perSecond` lines a second, twice as many at once. One source of a device cannot
 * use up the limit of another. The bucket that was unused longest is removed first.
 */
export function createFloodLimit(perSecond: number) {
  const capacity = perSecond * 2;
  const buckets = createCache<string, Bucket>({ maxEntries: 50_000 });
  return {
    /** Whether one more line of this key at `now` (milliseconds) is within the limit. */
    admits(key: string, now: number): boolean {
      let bucket = buckets.get(key);
      if (!bucket) buckets.set(key, (bucket = { tokens: capacity, at: now }));
      // A clock that was set back changes nothing.
      if (now > bucket.at) bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
