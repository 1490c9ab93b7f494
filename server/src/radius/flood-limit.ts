interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket per source address: `perSecond` packets a second, as many at once. Remembers at most `most` addresses;
 * the one that came first is forgotten first.
 */
export const createFloodLimit = ({ perSecond = 3000, most = 20_000, now = Date.now } = {}) => {
  const buckets = new Map<string, Bucket>();

  /** Whether one more packet from this address is within the limit. */
  const admits = (source: string): boolean => {
    const time = now();
    let bucket = buckets.get(source);
    if (!bucket) {
      if (buckets.size >= most) buckets.delete(buckets.keys().next().value as string);
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
