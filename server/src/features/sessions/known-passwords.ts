import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createCache } from '#lib/cache.ts';
import type { AuthorizeRequest } from '#radius/types.ts';

/** The visitor to whom a typed password belongs, and the stored password. */
export interface Known {
  /** Encrypted. */
  readonly password: string;
  readonly visitor: string;
}

export type Typed = Pick<AuthorizeRequest, 'device' | 'userName' | 'password'>;

/**
 * Remembers which typed passwords were right, so that the next sign-in is decided and admitted at once. It keeps no password: a
 * keyed hash of what was typed leads to the encrypted password that it equalled. The key is in this process only. The database
 * compares the encrypted password with what is stored by then, so a changed password is never taken for known.
 */
export function createKnownPasswords() {
  // A key object, because Node takes ten times as long with a key given as bytes.
  const key = createSecretKey(randomBytes(32));
  const cache = createCache<string, Known>({ maxEntries: 20_000, ttlMs: 24 * 3_600_000 });
  const hashOf = ({ device, userName }: Typed, password: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([device.id, userName, password]))
      .digest('base64');
  return {
    find: (typed: Typed): Known | undefined =>
      typed.password === undefined ? undefined : cache.get(hashOf(typed, typed.password)),
    keep: (typed: Typed, known: Known): void => {
      if (typed.password !== undefined) cache.set(hashOf(typed, typed.password), known);
    },
  };
}
export type KnownPasswords = ReturnType<typeof createKnownPasswords>;
