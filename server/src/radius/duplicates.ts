import { createCache } from '#lib/cache.ts';

interface Entry {
  readonly authenticator: string;
  reply: Buffer | undefined;
}

export interface Duplicates {
  /** `new` for an unknown request (now in progress), `in_progress`, or the reply it got. */
  readonly begin: (key: string, authenticator: string) => 'new' | 'in_progress' | Buffer;
  /** Keeps the reply for retransmissions. */
  readonly finish: (key: string, authenticator: string, reply: Buffer) => void;
  /** The request got no answer: its retransmission shall be taken as new. */
  readonly forget: (key: string, authenticator: string) => void;
  readonly size: () => number;
}

/**
 * Remembers at most `maxEntries` requests by `key` (source address, source port and id) and authenticator, for `ttlMs`. A new authenticator under the same key means that the router has gone on (RFC 5080 section 2.2.2), so one router
 * socket costs at most 256 entries.
 */
export const createDuplicates = ({ ttlMs = 30_000, maxEntries = 65_536, now = Date.now } = {}): Duplicates => {
  const entries = createCache<string, Entry>({ maxEntries, ttlMs, now });

  const begin = (key: string, authenticator: string) => {
    const known = entries.get(key);
    if (known?.authenticator === authenticator) return known.reply ?? ('in_progress' as const);
    entries.set(key, { authenticator, reply: undefined });
    return 'new' as const;
  };

  const same = (key: string, authenticator: string): Entry | undefined => {
    const entry = entries.get(key);
    return entry?.authenticator === authenticator ? entry : undefined;
  };

  return {
    begin,
    finish: (key, authenticator, reply) => {
      const entry = same(key, authenticator);
      if (entry) entry.reply = reply;
    },
    forget: (key, authenticator) => {
      if (same(key, authenticator)) entries.delete(key);
    },
    size: () => {
      entries.purgeStale();
      return entries.size;
    },
  };
};
