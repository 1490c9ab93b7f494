import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '#db/tenant.ts';
import { getTenant } from '#features/tenants/public.ts';
import { invalid } from '#http/app-error.ts';

// OWASP's second recommendation for Argon2id: 19 MiB, 2 passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

// Verified when there is no such account, so that the answer takes as long as for one that exists.
let decoy: Promise<string> | undefined;

/** True when the password is the account's; false, after the same time, when there is no account. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(stored ?? (await decoy), password).catch(() => false);
  return matches && !!stored;
}

/** Throws a 422 when the password is shorter than the installation or the tenant asks for. */
export async function requirePasswordLength(
  tx: Tx,
  password: string,
  installationMin: number,
  field = 'password',
): Promise<void> {
  const limit = Math.max(installationMin, (await getTenant(tx)).password_min);
  if (password.length < limit) throw invalid({ [field]: ['string_min', { limit }] });
}
