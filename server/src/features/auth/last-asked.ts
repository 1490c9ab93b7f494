import { createCache } from '#lib/cache.ts';

/** The e-mail that a code was last requested for, by the requester's tenant and address. */
const requested = createCache<string, string>({ maxEntries: 10_000, ttlMs: 15 * 60_000 });

/** Remembers the e-mail of a request, whether or not a user has it. */
export const rememberAsked = (from: string, email: string): void => void requested.set(from, email);

export const lastAsked = (from: string): string | undefined => requested.get(from);
