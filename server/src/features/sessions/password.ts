import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { provePassword, type Typed } from '#lib/guest-password.ts';
import { CryptAway } from '#lib/system-crypt.ts';
import { keepPassword, type SignInDecision } from './sign-in.queries.ts';

/**
 * Whether the guest typed the password of the decision. Of a visitor that was imported with the hash of its password, the
 * first right one is kept. If a hash cannot be checked now, the guest is told to try again later.
 */
export async function provesPassword(
  app: App,
  { password, granting }: Pick<SignInDecision, 'password' | 'granting'>,
  typed: Typed,
): Promise<boolean> {
  if (password === null) return false;
  const { tenant_id: tenant, visitor_id: visitor } = granting;
  const { right, keep } = await provePassword(app.secrets, password, typed, tenant).catch((error: unknown) => {
    if (!(error instanceof CryptAway)) throw error;
    app.log.warn({ err: error, visitor }, 'a password could not be checked');
    throw new AppError('away');
  });
  if (keep && visitor)
    await app.db.withTenant(tenant, tx => keepPassword(tx, { tenant, visitor, before: password, after: keep }));
  return right;
}
