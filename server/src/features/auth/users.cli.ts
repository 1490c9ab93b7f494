import { audit } from '#features/audit/public.ts';
import { createTenant, endEnforcement, findTenantBySlug, tenantIdOf } from '#features/tenants/public.ts';
import type { App } from '#lib/app.ts';
import { CommandError } from '#lib/command-error.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { deleteEveryToken, findCredentials, insertUser, setPassword } from './auth.queries.ts';
import { isCommonPassword } from './common-passwords.ts';
import { dropPending } from './confirmations.queries.ts';
import { askPasswordWithPasskeys } from './passkeys.queries.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { dropFactors } from './two-factor.queries.ts';

async function checkPassword({ settings }: App, password: string | undefined): Promise<string> {
  const chosen = password ?? randomWord(12);
  if (chosen.length < settings.PASSWORD_MIN)
    throw new CommandError(`The password must be at least ${settings.PASSWORD_MIN} characters`);
  if (await isCommonPassword(chosen)) throw new CommandError('The password is too common: choose another one');
  return chosen;
}

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly email: string;
  readonly password?: string | undefined;
  readonly language: 'tr' | 'en';
}

/** Makes a tenant with its first administrator; returns the administrator's password. */
export async function makeTenant(app: App, it: NewTenant): Promise<string> {
  const password = await checkPassword(app, it.password);
  const passwordHash = await hashPassword(password);
  if (await app.db.withSystem(tx => findTenantBySlug(tx, it.slug)))
    throw new CommandError(`The tenant ${it.slug} exists already`);
  const tenantId = await app.db.withSystem(tx => createTenant(tx, it.slug, it.name));
  await app.db.withTenant(tenantId, async tx => {
    const id = newId();
    const user = {
      id,
      email: it.email,
      firstName: it.name,
      lastName: '',
      phone: '',
      passwordHash,
      language: it.language,
    };
    await insertUser(tx, { ...user, role: 'tenant-admin' });
    const subject = { type: 'tenant' as const, id: tenantId, name: it.slug };
    await audit(
      tx,
      { userId: id, ip: null },
      { verb: 'create', subject, after: { by: 'command line', email: it.email } },
    );
  });
  return password;
}

/** Lets the accounts of a tenant sign in with their passwords again; false when they could already. */
export async function endSso(app: App, slug: string): Promise<boolean> {
  const tenantId = await tenantIdOf(app, slug);
  return app.db.withTenant(tenantId, async tx => {
    if (!(await endEnforcement(tx))) return false;
    const after = { enforced: false, by: 'command line' };
    const by = { email: 'command line', ip: null };
    await audit(tx, by, { verb: 'update', subject: { type: 'sso', name: slug }, before: { enforced: true }, after });
    return true;
  });
}

export interface LostPassword {
  readonly tenant: string;
  readonly email: string;
  readonly password?: string | undefined;
  readonly dropTwoFactor: boolean;
}

/** True when a tenant has this user and this is the password. Computes no hash for an unknown user. */
export async function hasPassword(
  app: App,
  it: { readonly tenant: string; readonly email: string; readonly password: string },
): Promise<boolean> {
  const tenantId = await tenantIdOf(app, it.tenant);
  const user = await app.db.withTenant(tenantId, tx => findCredentials(tx, it.email));
  return user ? passwordMatches(user.password_hash, it.password) : false;
}

/** Sets a user's password and ends every sign-in and token; returns the password. */
export async function resetUserPassword(app: App, it: LostPassword): Promise<string> {
  const tenantId = await tenantIdOf(app, it.tenant);
  const password = await checkPassword(app, it.password);
  const passwordHash = await hashPassword(password);
  await app.db.withTenant(tenantId, async tx => {
    const user = await findCredentials(tx, it.email);
    if (!user) throw new CommandError(`The tenant ${it.tenant} has no user ${it.email}`);
    await setPassword(tx, user.id, passwordHash);
    await askPasswordWithPasskeys(tx, user.id);
    await deleteEveryToken(tx, user.id);
    await dropPending(tx, user.id);
    if (it.dropTwoFactor) await dropFactors(tx, user.id);
    const after = { password_reset: true, by: 'command line', ...(it.dropTwoFactor ? { two_factor: false } : {}) };
    const subject = { type: 'user' as const, id: user.id, name: it.email };
    await audit(tx, { userId: user.id, ip: null }, { verb: 'update', subject, after });
  });
  return password;
}
