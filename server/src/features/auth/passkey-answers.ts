import type { PasskeyAnswer } from '@portico/contract/passkey-shapes.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { placeOf, takeChallenge } from './passkey-challenges.ts';
import * as queries from './passkeys.queries.ts';
import { mailSecurityChange } from './security-mail.ts';

interface Asked {
  readonly purpose: 'sign-in' | 'second-factor';
  /** The user to whom the passkey must belong. Undefined: the passkey names its user. */
  readonly userId?: string | undefined;
}

/** Checks the answer of a passkey; returns the passkey or throws a 422 that does not tell why. */
export async function checkAnswer(context: Context, answer: PasskeyAnswer, asked: Asked): Promise<queries.PasskeyRow> {
  const place = await placeOf(context);
  const challenge = await takeChallenge(context, asked.purpose, place.host);
  if (!challenge || challenge.user_id !== (asked.userId ?? null)) throw new AppError('passkey_refused');
  const checked = await context.inTenant(async tx => {
    const passkey = await queries.lockCredential(tx, place.host, Buffer.from(answer.id, 'base64url'));
    if (!passkey || (asked.userId !== undefined && passkey.user_id !== asked.userId)) return undefined;
    if (!knowsItsUser(passkey, answer, asked)) return undefined;
    const counter = await signedCounter(answer, { passkey, challenge: challenge.challenge, origin: place.origin });
    if (counter === undefined) return undefined;
    // Authenticators that do not count always send 0.
    if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
      await reportCopy(tx, context, passkey);
      return undefined;
    }
    await queries.markUsed(tx, passkey.id, counter);
    return passkey;
  });
  if (!checked) throw new AppError('passkey_refused');
  return checked;
}

/** Without a password the passkey has to say whose it is. */
function knowsItsUser(passkey: queries.PasskeyRow, { response }: PasskeyAnswer, asked: Asked): boolean {
  if (!response.userHandle) return asked.purpose === 'second-factor';
  return Buffer.from(response.userHandle, 'base64url').equals(passkey.user_handle);
}

/** The counter in the answer; undefined unless the signature, place, challenge and user verification are right. */
async function signedCounter(
  { id, response }: PasskeyAnswer,
  it: { passkey: queries.PasskeyRow; challenge: string; origin: string },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: it.challenge,
      expectedOrigin: it.origin,
      expectedRPID: it.passkey.host,
      requireUserVerification: true,
      // Its own check of the counter would throw like any other failure. Ours reports it.
      credential: { id, publicKey: new Uint8Array(it.passkey.public_key), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** A counter that went back means that two authenticators have the same key. */
async function reportCopy(tx: Tx, context: Context, passkey: queries.PasskeyRow): Promise<void> {
  await mailSecurityChange(tx, context, passkey.user_id, { change: 'passkey_refused', detail: passkey.name });
  await audit(
    tx,
    { userId: passkey.user_id, ip: context.request.ip },
    {
      verb: 'deny',
      subject: { type: 'passkey', id: passkey.id, name: passkey.name },
      after: { counter: 'went back' },
    },
  );
}
