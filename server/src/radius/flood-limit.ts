import { createCache } from '#lib/cache.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { steadyNow } from '#lib/steady-clock.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket per source address (or IPv6 network), with `perSecond` packets as rate and as burst. The address that was silent longest
 * is removed first.
 */
export const createFloodLimit = ({ perSecond = 3000, maxEntries = 20_000, now = steadyNow } = {}) => {
  const buckets = createCache<string, Bucket>({ maxEntries });

  /** Whether one more packet from this address is within the limit. */
  const admits = (address: string): boolean => {
    const source = callerNetwork(address);
    const time = now();
    let bucket = buckets.get(source);
    if (!bucket) {
      bucket = { tokens: perSecond, at: time };
      buckets.set(source, bucket);
    }
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((time - bucket.at) / 1000) * perSecond);
    bucket.at = time;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };

  return { admits };
};
