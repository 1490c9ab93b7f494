import type { AuthUser } from '@portico/contract/auth.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { getAddress } from './auth.queries.ts';
import { describeUser } from './describe.service.ts';
import { requireOwnPassword, requireSignIn } from './own-password.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { mailSecurityChange } from './security-mail.ts';
import { setRecoveryCodes } from './two-factor.queries.ts';

/** Replaces the recovery codes. The new ones are shown this once; the old ones no longer work. */
export async function renewRecoveryCodes(
  context: Context,
  actor: Actor,
  password: string,
): Promise<{ recovery_codes: string[]; user: AuthUser }> {
  await requireOwnPassword(context, actor, password);
  const { codes, hashes } = newRecoveryCodes(context, actor.userId);
  const user = await context.inTenant(async tx => {
    await requireSignIn(tx, actor);
    if (!(await setRecoveryCodes(tx, actor.userId, hashes))) throw new AppError('conflict');
    const { email } = await getAddress(tx, actor.userId);
    const subject = { type: 'user' as const, id: actor.userId, name: email };
    await audit(tx, actor, { verb: 'update', subject, after: { recovery_codes: 'new' } });
    await mailSecurityChange(tx, context, actor.userId, { change: 'recovery_codes_new' });
    return describeUser(tx, actor, context.language);
  });
  return { recovery_codes: codes, user };
}
