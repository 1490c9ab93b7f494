interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket per device: `perSecond` lines a second, twice as many at once. */
export function createFloodLimit(perSecond: number) {
  const capacity = perSecond * 2;
  const buckets = new Map<string, Bucket>();
  return {
    /** Whether one more line of this device at `now` (milliseconds) is within the limit. */
    admits(device: string, now: number): boolean {
      let bucket = buckets.get(device);
      if (!bucket) buckets.set(device, (bucket = { tokens: capacity, at: now }));
      // A clock that was set back gives nothing, and takes nothing.
      if (now > bucket.at) bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
