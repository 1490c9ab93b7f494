import type { Tx } from '#db/tenant.ts';
import { beginAttempt, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { lockSignIn } from './auth.queries.ts';
import { passwordMatches } from './passwords.ts';
import * as queries from './two-factor.queries.ts';

/**
 * Locks the actor until the end of the transaction, and throws if its sign-in has ended. Call it before a change of the account: since the
 * access was checked, its owner may have set a new password, and that must not be undone by a thief.
 */
export async function requireSignIn(tx: Tx, actor: Actor): Promise<void> {
  if (!(await lockSignIn(tx, actor))) throw new AppError('not_signed_in');
}

const passwords = createLimit('own password', 5);

/** Throws unless the password is the actor's own. */
export async function requireOwnPassword(
  { app, inTenant }: Context,
  actor: Actor,
  password: string,
  field = 'password',
): Promise<void> {
  const attempt = await beginAttempt(app, [[passwords, actor.userId]]);
  try {
    const { password_hash } = await inTenant(tx => queries.getSecondFactor(tx, actor.userId));
    if (!(await passwordMatches(password_hash, password))) {
      await attempt.failed();
      throw invalid({ [field]: 'wrong_password' });
    }
    await attempt.succeeded(passwords);
  } finally {
    await attempt.end();
  }
}
