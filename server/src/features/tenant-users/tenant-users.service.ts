import type { TenantUser } from '@portico/contract/tenants.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import {
  askPasswordWithPasskeys,
  changeUser,
  deleteEveryToken,
  deleteOtherTokens,
  demoteUser,
  dropPending,
  emailTaken,
  hashPassword,
  insertUser,
  leaveAllBut,
  requireGoodPassword,
} from '#features/auth/public.ts';
import { disown, setOwnLocations } from '#features/locations/public.ts';
import { tellOfLostRole, tellOfWebhooks, tellOfWebhooksOf, webhooksOf } from '#features/team/public.ts';
import { keepEmergency } from '#features/tenants/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './tenant-users.queries.ts';

interface Form {
  first_name: string;
  last_name: string;
  email: string;
  phone_number?: string | undefined;
  password: string;
  role: TenantUser['role'];
}
type Change = { [K in keyof Form]?: Form[K] | undefined } & { location_ids?: string[] | undefined };

const subjectOf = (user: TenantUser) => ({ type: 'tenant-user' as const, id: user.id, name: user.email });

export async function createTenantUser(context: Context, actor: Actor, form: Form): Promise<TenantUser> {
  const { app, inTenant, tenant, language } = context;
  await inTenant(tx => requireGoodPassword(tx, form, app.settings.PASSWORD_MIN));
  const passwordHash = await hashPassword(form.password);
  return inTenant(async tx => {
    if (await emailTaken(tx, form.email, null)) throw invalid({ email: 'taken' });
    const id = newId();
    await insertUser(tx, {
      id,
      email: form.email,
      firstName: form.first_name,
      lastName: form.last_name,
      phone: form.phone_number ?? '',
      passwordHash,
      role: form.role,
      language,
    });
    const user = found(await queries.findTenantUser(tx, id));
    await audit(tx, actor, { verb: 'create', subject: subjectOf(user), after: { email: user.email, role: user.role } });
    const link = panelLink(app.settings, tenant.slug, '/auth/login');
    const data = { name: user.first_name, location: '', link, confirm: false };
    await queueMail(tx, app, { to: user.email, language, template: 'welcome', data });
    return user;
  });
}

/** Throws if the tenant would have no administrator any more. */
async function keepOneAdmin(tx: Tx, user: TenantUser, role: TenantUser['role'] | undefined): Promise<void> {
  if (user.role === 'tenant-admin' && role !== 'tenant-admin' && !(await queries.hasOtherAdmin(tx, user.id)))
    throw new AppError('last_admin');
}

/** Only resellers own locations; the other roles see all of them. */
async function giveLocations(tx: Tx, id: string, it: { role: TenantUser['role']; ids: string[] }): Promise<void> {
  if (it.role !== 'reseller') return;
  if ((await queries.countLocations(tx, it.ids)) !== it.ids.length) throw invalid({ location_ids: 'unknown' });
  const lost = await setOwnLocations(tx, id, it.ids);
  await leaveAllBut(tx, id, it.ids);
  for (const one of lost) await tellOfWebhooksOf(tx, one.owner_id, one.id);
}

export async function updateTenantUser(context: Context, actor: Actor, id: string, form: Change): Promise<TenantUser> {
  const { app, inTenant } = context;
  const { password, location_ids, ...fields } = form;
  if (password !== undefined) {
    const chosen = { password, email: fields.email };
    await inTenant(tx => requireGoodPassword(tx, chosen, app.settings.PASSWORD_MIN));
  }
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return inTenant(async tx => {
    await queries.lockTenant(tx);
    const before = found(await queries.findTenantUser(tx, id));
    if (form.role !== undefined) await keepOneAdmin(tx, before, form.role);
    if (form.role !== undefined && form.role !== before.role) await keepEmergency(tx, id);
    if (form.email !== undefined && (await emailTaken(tx, form.email, id))) throw invalid({ email: 'taken' });
    await changeUser(tx, id, { ...fields, password_hash });
    if (location_ids) await giveLocations(tx, id, { role: form.role ?? before.role, ids: [...new Set(location_ids)] });
    const after = found(await queries.findTenantUser(tx, id));
    await tellOfLostRole(tx, { ...before, name: after.full_name || after.email }, after.role);
    if (password_hash) await endOldAccess(tx, actor, id);
    if (form.email !== undefined && form.email !== before.email) await dropPending(tx, id);
    const secret = password_hash ? { password_changed: true } : {};
    await audit(tx, actor, { verb: 'update', subject: subjectOf(after), before, after: { ...after, ...secret } });
    return after;
  });
}

/** Ends all access that was granted with an account's old password. The caller's own session stays. */
async function endOldAccess(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (id === actor.userId) await deleteOtherTokens(tx, id, actor.tokenId);
  else await deleteEveryToken(tx, id);
  await askPasswordWithPasskeys(tx, id);
  await dropPending(tx, id);
}

export async function deleteTenantUser({ inTenant }: Context, actor: Actor, id: string): Promise<void> {
  await inTenant(async tx => {
    await queries.lockTenant(tx);
    const user = found(await queries.findTenantUser(tx, id));
    await keepOneAdmin(tx, user, undefined);
    await keepEmergency(tx, id);
    // Written before the account is deleted, because the entry may refer to it.
    await audit(tx, actor, {
      verb: 'revoke',
      subject: subjectOf(user),
      before: { email: user.email, role: user.role },
    });
    await disown(tx, id);
    // Found before the account is deleted, and told when it is no receiver any more.
    const left = await webhooksOf(tx, id, null);
    if (await demoteUser(tx, id)) await deleteEveryToken(tx, id);
    await tellOfWebhooks(tx, user.full_name || user.email, left);
  });
}
