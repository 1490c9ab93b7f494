import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Tx } from '#db/tenant.ts';
import { getTenant } from '#features/tenants/public.ts';
import { AppError, invalid } from '#http/app-error.ts';
import { isCommonPassword } from './common-passwords.ts';

// OWASP's second recommendation for Argon2id: 19 MiB, 2 passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashes run on libuv's four threads, which DNS and files use too. Two stay free for those.
const hashing = pLimit(2);
// About three seconds of work. A longer queue would only make rightful users wait longer.
const maxWaiting = 100;

/** Runs a hash in the queue; throws 429 when the queue is full. */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= maxWaiting) throw new AppError('too_many', { values: { seconds: 5 } });
  return hashing(work);
}

export const hashPassword = (password: string): Promise<string> => queued(() => hash(password, cost));

// Verified when there is no such account, so that the answer takes as long as for one that exists.
let decoy: Promise<string> | undefined;

/** True when the password is the account's; false, after the same time, when there is no account. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hash('no account has this password', cost);
  const known = stored ?? (await decoy);
  const matches = await queued(() => verify(known, password).catch(() => false));
  return matches && !!stored;
}

/** Letters and digits only, in lower case. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a password is one of these names, perhaps with a short suffix. Names of fewer than four characters do not count. */
function isName(password: string, names: readonly string[]): boolean {
  const typed = [bare(password), bare(password.replace(/[^\p{L}]{1,4}$/u, ''))];
  return names.map(bare).some(name => name.length >= 4 && typed.includes(name));
}

/**
 * Throws a 422 when the password is too short for the installation or the tenant, or common. The names of the product and the
 * tenant and the account's address are refused too, because an attacker tries them first.
 */
export async function requireGoodPassword(
  tx: Tx,
  { password, email = '' }: { readonly password: string; readonly email?: string | undefined },
  installationMin: number,
): Promise<void> {
  const tenant = await getTenant(tx);
  const limit = Math.max(installationMin, tenant.password_min);
  if (password.length < limit) throw invalid({ password: ['string_min', { limit }] });
  const names = ['portico', tenant.slug, tenant.brand_name, tenant.brand_long_name, email, email.split('@')[0]!];
  if ((await isCommonPassword(password)) || isName(password, names)) throw invalid({ password: 'common_password' });
}
