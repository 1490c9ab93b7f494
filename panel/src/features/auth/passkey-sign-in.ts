import type { signedIn } from '@portico/contract/auth.ts';
import type { PasskeyAnswer, PasskeyRequest } from '@portico/contract/passkey-shapes.ts';
import type { passkeysApi } from '@portico/contract/passkeys.ts';
import { startAuthentication } from '@simplewebauthn/browser';
import i18next from 'i18next';
import type { z } from 'zod';
import { type Said, saidBy } from '#features/auth/said.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { loadTexts } from '#lib/i18n.ts';

const options = address<typeof passkeysApi.signInOptions>('POST', '/v1/user/passkey/options');
const signIn = address<typeof passkeysApi.signIn>('POST', '/v1/user/passkey');

const ask = async (optionsJSON: PasskeyRequest): Promise<PasskeyAnswer> => startAuthentication({ optionsJSON });

/** Signs in without a password. Shows the reason of a failure; an empty text clears it. */
export async function signInWithPasskey(
  enter: (data: z.output<typeof signedIn>) => void,
  show: (problem: Said) => void,
): Promise<void> {
  show('');
  try {
    const passkey = await ask((await call(options, { body: {} })).data);
    enter((await call(signIn, { body: { passkey } })).data);
  } catch (error) {
    show(await problemOf(error));
  }
}

/** The response of a passkey of this account, as second factor. */
export const askSecondFactor = async (credentials: { email: string; password: string }): Promise<PasskeyAnswer> =>
  ask((await call(options, { body: credentials })).data);

/** The reason why a passkey was not used, in the language of the screen. */
export async function problemOf(error: unknown): Promise<Said> {
  if (error instanceof ApiError) return saidBy(error);
  await loadTexts('second', 'auth');
  if (!('PublicKeyCredential' in window)) return i18next.t('second:passkeyUnsupported');
  const isOffline = error instanceof TypeError;
  return isOffline ? i18next.t('auth:unreachable') : i18next.t('second:passkeyCancelled');
}
