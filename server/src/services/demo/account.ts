import { hasPassword, resetUserPassword } from '#features/auth/public.ts';
import type { App } from '#lib/app.ts';

/** The administrator of the demo. Its password is public. */
export const account = { email: 'demo@portico.local', password: 'portico-demo' };

/**
 * Gives the demo account an unknown password and ends its sign-ins if its password is still the public one. Returns
 * whether that was necessary. A production start calls it, because its database may have run the demo before.
 */
export async function closeDemoAccount(app: App): Promise<boolean> {
  if (!(await hasPassword(app, { tenant: 'panel', ...account }))) return false;
  await resetUserPassword(app, { tenant: 'panel', email: account.email, dropTwoFactor: false });
  return true;
}
