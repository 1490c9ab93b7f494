import type { Account, AuthUser } from '@portico/contract/auth.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import * as queries from './auth.queries.ts';
import { describeUser } from './auth.service.ts';
import { hashPassword, requirePasswordLength } from './passwords.ts';

/** Changes one's own account; a new password ends one's other sign-ins. */
export async function updateAccount({ app, inTenant }: Context, actor: Actor, body: Account): Promise<AuthUser> {
  const { password, password_confirmation: _, current_password: __, ...fields } = body;
  if (password !== undefined) await inTenant(tx => requirePasswordLength(tx, password, app.settings.PASSWORD_MIN));
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return inTenant(async tx => {
    if (fields.email && (await queries.emailTaken(tx, fields.email, actor.userId))) throw invalid({ email: 'taken' });
    await queries.updateUser(tx, actor.userId, { ...fields, password_hash });
    if (password_hash) await queries.deleteOtherTokens(tx, actor.userId, actor.tokenId);
    return describeUser(tx, actor);
  });
}
