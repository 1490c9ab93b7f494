import { createCache } from '#lib/cache.ts';
import { steadyNow } from '#lib/steady-clock.ts';

interface Entry {
  readonly authenticator: string;
  reply: Buffer | undefined;
}

export interface Duplicates {
  /** `new` for an unknown request, which is then in progress; `in_progress`; or the reply that was sent. */
  readonly begin: (key: string, authenticator: string) => 'new' | 'in_progress' | Buffer;
  /** Keeps the reply for retransmissions. */
  readonly finish: (key: string, authenticator: string, reply: Buffer) => void;
  /** Removes a request that got no reply, so that its retransmission counts as new. */
  readonly forget: (key: string, authenticator: string) => void;
  readonly size: () => number;
}

/**
 * Detects retransmissions by `key` (source address, source port and id) and authenticator. A new authenticator replaces
 * the old request of its key (RFC 5080 section 2.2.2), so one router socket takes at most 256 entries.
 */
export const createDuplicates = ({ ttlMs = 30_000, maxEntries = 65_536, now = steadyNow } = {}): Duplicates => {
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
