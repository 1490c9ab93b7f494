import type { AuthUser } from '@portico/contract/auth.ts';
import type { PasskeyAnswer, PasskeyRequest } from '@portico/contract/passkey-shapes.ts';
import { audit } from '#features/audit/public.ts';
import { beginAttempt, ofNetwork } from '#features/throttle/public.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { checkPassword, perNetwork, startSession } from './auth.service.ts';
import { describeUser } from './describe.service.ts';
import { checkAnswer } from './passkey-answers.ts';
import { newChallenge, placeOf } from './passkey-challenges.ts';
import { listPasskeys } from './passkeys.queries.ts';
import { requestOptions } from './passkeys.service.ts';

/**
 * Options for a sign-in. With e-mail and password they are for the passkeys of that account, as its second factor.
 * Without, for any passkey of this host.
 */
export async function signInOptions(
  context: Context,
  body: { email?: string | undefined; password?: string | undefined },
): Promise<PasskeyRequest> {
  const { host } = await placeOf(context);
  const { email, password } = body;
  if (email === undefined && password === undefined) {
    const challenge = await newChallenge(context, { purpose: 'sign-in', userId: null, host });
    return requestOptions(challenge, host, []);
  }
  if (email === undefined) throw invalid({ email: 'required' });
  if (password === undefined) throw invalid({ password: 'required' });
  const userId = await checkPassword(context, { email, password }, async ({ id }) => id);
  const rows = (await context.inTenant(tx => listPasskeys(tx, userId))).filter(row => row.host === host);
  if (rows.length === 0) throw new AppError('passkey_missing');
  const challenge = await newChallenge(context, { purpose: 'second-factor', userId, host });
  return requestOptions(challenge, host, rows);
}

/** Signs in with a passkey alone. It has verified its user, so no second factor is required. */
export async function signInWithPasskey(
  context: Context,
  answer: PasskeyAnswer,
): Promise<{ token: string; user: AuthUser }> {
  const attempt = await beginAttempt(context.app, ofNetwork(perNetwork, context.request.ip));
  try {
    const passkey = await checkAnswer(context, answer, { purpose: 'sign-in' }).catch(async error => {
      await attempt.failed();
      throw error;
    });
    return await context.inTenant(async tx => {
      const { token, actor } = await startSession(tx, context, { userId: passkey.user_id, passkeyId: passkey.id });
      const user = await describeUser(tx, actor, context.language);
      const subject = { type: 'user' as const, id: user.id, name: user.email };
      await audit(tx, actor, { verb: 'sign-in', subject, after: { passkey: passkey.name } });
      return { token, user };
    });
  } finally {
    await attempt.end();
  }
}
