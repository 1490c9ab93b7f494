import { createCache } from '#lib/cache.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket per device and source address, with `perSecond` lines as rate and twice as many as burst. One source of a
 * device cannot use up the limit of another. The least recently used bucket is removed first.
 */
export function createFloodLimit(perSecond: number) {
  const capacity = perSecond * 2;
  const buckets = createCache<string, Bucket>({ maxEntries: 50_000 });
  return {
    /** Whether one more line of this key is within the limit at `now`, in milliseconds. */
    admits(key: string, now: number): boolean {
      let bucket = buckets.get(key);
      if (!bucket) buckets.set(key, (bucket = { tokens: capacity, at: now }));
      // A clock that was set back adds no tokens.
      if (now > bucket.at) bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
