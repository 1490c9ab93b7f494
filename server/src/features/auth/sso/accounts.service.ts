import type { Tx } from '#db/tenant.ts';
import { audit, type Doer } from '#features/audit/public.ts';
import { disown } from '#features/locations/public.ts';
import { setMemberships, tellOfLostRole } from '#features/team/public.ts';
import { type ProviderRow, provenAmong } from '#features/tenants/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { changeUser, deleteEveryToken, findCredentials, insertUser } from '../auth.queries.ts';
import { dropPending } from '../confirmations.queries.ts';
import { mailSecurityChange } from '../security-mail.ts';
import { dropFactors } from '../two-factor.queries.ts';
import { type Person, rightsOf, type WantedRights } from './person.ts';
import * as queries from './sso.queries.ts';

const doer = ({ request }: Context, { label }: ProviderRow): Doer => ({ email: label, ip: request.ip });

/** Throws unless the domain is one of the provider's, and proven today. */
export async function requireDomain(tx: Tx, provider: ProviderRow, domain: string | undefined): Promise<void> {
  const isKnown = domain !== undefined && provider.domains.includes(domain);
  if (!isKnown || !(await provenAmong(tx, [domain])).length)
    throw new AppError('sso_email', { values: { label: provider.label } });
}

/**
 * The account of a person: the one that is linked, else that with the same verified address, else a new one. The address
 * is looked at only once. After that the provider's subject names the account.
 */
export async function accountOf(tx: Tx, context: Context, provider: ProviderRow, person: Person): Promise<string> {
  const { issuer, subject, email } = person;
  const { label } = provider;
  await queries.lockSubject(tx, issuer, subject);
  const linked = await queries.findLinked(tx, issuer, subject);
  if (linked) {
    await queries.touchLink(tx, { issuer, subject, email });
    return linked;
  }
  if (email === null || !person.emailVerified) throw new AppError('sso_email', { values: { label } });
  const known = await findCredentials(tx, email);
  // The address belonged to another person there.
  if (known && (await queries.isLinked(tx, issuer, known.id)))
    throw new AppError('sso_linked', { values: { email, label } });
  const userId = known?.id ?? (await createAccount(tx, context, provider, { ...person, email }));
  if (known && !known.email_confirmed) {
    await queries.dropPassword(tx, known.id);
    await dropFactors(tx, known.id);
    await deleteEveryToken(tx, known.id);
    await dropPending(tx, known.id);
  }
  await queries.insertLink(tx, { id: newId(), userId, issuer, subject });
  await queries.touchLink(tx, { issuer, subject, email });
  const entry = { verb: 'create' as const, subject: { type: 'sso' as const, id: userId, name: email } };
  await audit(tx, doer(context, provider), { ...entry, after: { issuer, subject } });
  if (known) await mailSecurityChange(tx, context, userId, { change: 'provider_linked', detail: label });
  return userId;
}

async function createAccount(
  tx: Tx,
  context: Context,
  provider: ProviderRow,
  person: Person & { readonly email: string },
): Promise<string> {
  const { email, firstName, lastName } = person;
  const rights = rightsOf(provider.mappings, person.groups);
  if (!provider.create_accounts) throw new AppError('sso_no_account', { values: { email } });
  if (!rights) throw new AppError('sso_no_rights', { values: { label: provider.label } });
  const id = newId();
  const user = { id, email, firstName, lastName, phone: '', passwordHash: null, language: context.language };
  await insertUser(tx, { ...user, role: 'member' });
  await audit(tx, doer(context, provider), {
    verb: 'create',
    subject: { type: 'user', id, name: email },
    after: { first_name: firstName, last_name: lastName, email },
  });
  return id;
}

/**
 * Gives an account exactly the rights of its groups; false if they give none. Without mappings, and for the emergency
 * account, rights are given by hand.
 */
export async function applyRights(
  tx: Tx,
  context: Context,
  provider: ProviderRow,
  it: { userId: string; groups: readonly string[] },
): Promise<boolean> {
  if (provider.mappings.length === 0 || provider.emergency_user_id === it.userId) return true;
  const rights = rightsOf(provider.mappings, it.groups);
  await queries.lockAdministrators(tx);
  const user = await queries.lockLinkedUser(tx, it.userId);
  if (!user) throw new AppError('sso_failed');
  // The tenant keeps one administrator.
  if (user.role === 'tenant-admin' && rights?.role !== 'tenant-admin' && !(await queries.hasOtherAdmin(tx, user.id)))
    return true;
  await setRights(tx, doer(context, provider), user, rights);
  if (!rights) await deleteEveryToken(tx, user.id);
  return rights !== undefined;
}

async function setRights(tx: Tx, by: Doer, user: queries.LinkedUser, rights: WantedRights | undefined): Promise<void> {
  const role = rights?.role ?? 'member';
  if (role !== user.role) {
    if (user.role === 'reseller') await disown(tx, user.id);
    await changeUser(tx, user.id, { role, ...(role === 'member' ? { active_location_id: null } : {}) });
    const subject = { type: 'tenant-user' as const, id: user.id, name: user.email };
    const verb = role === 'member' ? ('revoke' as const) : ('grant' as const);
    await audit(tx, by, { verb, subject, before: { role: user.role }, after: { role } });
  }
  await setMemberships(tx, by, user, rights?.memberships ?? []);
  await tellOfLostRole(tx, { ...user, name: user.email }, role);
}
