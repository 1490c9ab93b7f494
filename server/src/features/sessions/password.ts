import type { App } from '#lib/app.ts';
import { provePassword, type Typed } from '#lib/guest-password.ts';
import { keepPassword, type SignInDecision } from './sign-in.queries.ts';

/**
 * Whether the guest typed the password of the decision. Of a visitor that was imported with the hash of its password, the
 * first right one is kept.
 */
export async function provesPassword(
  app: App,
  { password, granting }: Pick<SignInDecision, 'password' | 'granting'>,
  typed: Typed,
): Promise<boolean> {
  if (password === null) return false;
  const { right, keep } = await provePassword(app.secrets, password, typed);
  const { tenant_id: tenant, visitor_id: visitor } = granting;
  if (keep && visitor)
    await app.db.withTenant(tenant, tx => keepPassword(tx, { tenant, visitor, before: password, after: keep }));
  return right;
}
