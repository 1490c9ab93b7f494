import type { Account, AuthUser } from '@portico/contract/auth.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './auth.queries.ts';
import { dropAddressChange, dropPending } from './confirmations.queries.ts';
import { askConfirmation } from './confirmations.service.ts';
import { describeUser } from './describe.service.ts';
import { requireOwnPassword, requireSignIn } from './own-password.ts';
import { askPasswordWithPasskeys } from './passkeys.queries.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';

/**
 * Changes the caller's own account. A new password or e-mail takes the current password. A new password ends the other
 * sign-ins; a new e-mail takes effect when its link is opened.
 */
export async function updateAccount(context: Context, actor: Actor, body: Account): Promise<AuthUser> {
  const { app, inTenant } = context;
  const { password, password_confirmation: _, current_password: current, email, ...fields } = body;
  const before = await inTenant(tx => queries.getUser(tx, actor.userId, null));
  const newEmail = email !== undefined && email !== before.email ? email : undefined;
  if (password !== undefined) {
    const chosen = { password, email: email ?? before.email };
    await inTenant(tx => requireGoodPassword(tx, chosen, app.settings.PASSWORD_MIN));
  }
  if ((newEmail !== undefined || password !== undefined) && current === undefined)
    throw invalid({ current_password: 'required' });
  if (current !== undefined) await requireOwnPassword(context, actor, current, 'current_password');
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return inTenant(async tx => {
    await requireSignIn(tx, actor);
    const replaced = await queries.getUser(tx, actor.userId, null);
    await queries.updateUser(tx, actor.userId, { ...fields, password_hash });
    if (password_hash) await afterNewPassword(tx, context, actor, before);
    if (newEmail !== undefined) await beginEmailChange(tx, context, actor, before, newEmail);
    // Sending the address as it is withdraws a waiting change.
    else if (email !== undefined) await dropAddressChange(tx, actor.userId);
    await audit(tx, actor, {
      verb: 'update',
      subject: { type: 'user', id: actor.userId, name: before.email },
      before: Object.fromEntries(Object.keys(fields).map(key => [key, replaced[key as keyof typeof replaced]])),
      after: {
        ...fields,
        ...(password_hash ? { password_changed: true } : {}),
        ...(newEmail ? { pending_email: newEmail } : {}),
      },
    });
    return describeUser(tx, actor, context.language);
  });
}

async function beginEmailChange(
  tx: Tx,
  { app, tenant, language }: Context,
  actor: Actor,
  user: queries.UserRow,
  email: string,
): Promise<void> {
  if (await queries.emailTaken(tx, email, actor.userId)) throw invalid({ email: 'taken' });
  const whose = { userId: actor.userId };
  await askConfirmation(tx, app, { slug: tenant.slug, whose, email, name: user.first_name, language });
  const data = { name: user.first_name, email };
  await queueMail(tx, app, { to: user.email, language, template: 'email_changing', data });
}

async function afterNewPassword(
  tx: Tx,
  { app, tenant, language }: Context,
  actor: Actor,
  user: queries.UserRow,
): Promise<void> {
  await queries.deleteOtherTokens(tx, actor.userId, actor.tokenId);
  await askPasswordWithPasskeys(tx, actor.userId);
  await dropPending(tx, actor.userId);
  const link = panelLink(app.settings, tenant.slug, '/auth/forgot-password');
  await queueMail(tx, app, {
    to: user.email,
    language,
    template: 'password_changed',
    data: { name: user.first_name, link },
  });
}
