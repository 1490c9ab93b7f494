import type { AuthUser } from '@portico/contract/auth.ts';
import type { NewPasskey, PasskeyCreation } from '@portico/contract/passkey-shapes.ts';
import type { Passkey } from '@portico/contract/passkeys.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { getTenant } from '#features/tenants/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, foundAgain } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { deviceName } from '#lib/device-name.ts';
import { newId } from '#lib/ids.ts';
import { deleteOtherTokens, getAddress } from './auth.queries.ts';
import { describeUser } from './describe.service.ts';
import { requireOwnPassword, requireSignIn } from './own-password.ts';
import { challengeMs, newChallenge, type Place, placeOf, takeChallenge } from './passkey-challenges.ts';
import * as queries from './passkeys.queries.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { mailSecurityChange } from './security-mail.ts';
import { dropCodesWithoutFactor, getSecondFactor, setRecoveryCodes } from './two-factor.queries.ts';

const most = 20;
/** COSE numbers: EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257];

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'passkey' as const, id, name });

export const describePasskey = ({ request }: Pick<Context, 'request'>, it: queries.PasskeyRow): Passkey => ({
  id: it.id,
  name: it.name,
  host: it.host,
  here: it.host === request.hostname.toLowerCase(),
  created_at: it.created_at,
  last_used_at: it.last_used_at,
});

/** A passkey shows this to anyone who holds it, so it is neither the id nor the address of its user. */
const handleOf = ({ app, tenant }: Context, userId: string): Buffer =>
  app.secrets.index(`passkey user|${tenant.id}|${userId}`);

const idsOf = (rows: readonly queries.PasskeyRow[], host: string) =>
  rows
    .filter(row => row.host === host)
    .map(row => ({
      id: row.credential_id.toString('base64url'),
      type: 'public-key' as const,
      transports: row.transports,
    }));

export const requestOptions = (challenge: string, host: string, rows: readonly queries.PasskeyRow[]) => ({
  challenge,
  rpId: host,
  timeout: challengeMs,
  userVerification: 'required' as const,
  allowCredentials: idsOf(rows, host),
});

export async function beginPasskey(context: Context, actor: Actor, password: string): Promise<PasskeyCreation> {
  await requireOwnPassword(context, actor, password);
  const { host } = await placeOf(context);
  const { rows, user, brand } = await context.inTenant(async tx => ({
    rows: await queries.listPasskeys(tx, actor.userId),
    user: await getAddress(tx, actor.userId),
    brand: (await getTenant(tx)).brand_name,
  }));
  if (rows.length >= most) throw new AppError('passkeys_enough', { values: { most } });
  const challenge = await newChallenge(context, { purpose: 'register', userId: actor.userId, host });
  return {
    challenge,
    rp: { id: host, name: brand },
    user: {
      id: handleOf(context, actor.userId).toString('base64url'),
      name: user.email,
      displayName: user.first_name || user.email,
    },
    pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    excludeCredentials: idsOf(rows, host),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/** The credential that the browser made; throws 422 when it does not answer this browser's challenge. */
async function checkNew(context: Context, actor: Actor, place: Place, { id, response }: NewPasskey) {
  const challenge = await takeChallenge(context, 'register', place.host);
  if (challenge?.user_id !== actor.userId) throw new AppError('passkey_refused');
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const result = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge.challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined);
  if (!result?.verified) throw new AppError('passkey_refused');
  return result.registrationInfo.credential;
}

/** Adds a passkey. As the first second factor it ends the other sign-ins and comes with recovery codes. */
export async function addPasskey(
  context: Context,
  actor: Actor,
  form: { name?: string | undefined; passkey: NewPasskey },
): Promise<{ passkey: Passkey; recovery_codes: string[] | null; user: AuthUser }> {
  const { inTenant, request, language } = context;
  const place = await placeOf(context);
  const credential = await checkNew(context, actor, place, form.passkey);
  const id = newId();
  const name = form.name ?? (deviceName(request.headers['user-agent'] ?? '') || 'Passkey');
  return inTenant(async tx => {
    await requireSignIn(tx, actor);
    const factor = await getSecondFactor(tx, actor.userId);
    if (factor.passkeys >= most) throw new AppError('passkeys_enough', { values: { most } });
    const isNew = await queries.insertPasskey(tx, {
      id,
      user_id: actor.userId,
      host: place.host,
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      user_handle: handleOf(context, actor.userId),
      counter: credential.counter,
      transports: form.passkey.response.transports,
      name,
    });
    if (!isNew) throw new AppError('conflict');
    const recovery_codes = factor.totp_enabled || factor.passkeys > 0 ? null : await enroll(tx, context, actor);
    await mailSecurityChange(tx, context, actor.userId, { change: 'passkey_added', detail: name });
    await audit(tx, actor, { verb: 'create', subject: subjectOf({ id, name }), after: { name, host: place.host } });
    const passkey = describePasskey({ request }, found(await queries.findPasskey(tx, actor.userId, id)));
    return { passkey, recovery_codes, user: await describeUser(tx, actor, language) };
  });

  async function enroll(tx: Tx, it: Context, owner: Actor): Promise<string[]> {
    const { codes, hashes } = newRecoveryCodes(it, owner.userId);
    await setRecoveryCodes(tx, owner.userId, hashes);
    // These signed in with the password alone.
    await deleteOtherTokens(tx, owner.userId, owner.tokenId);
    await mailSecurityChange(tx, it, owner.userId, { change: 'two_factor_on' });
    return codes;
  }
}

export async function renamePasskey(context: Context, actor: Actor, id: string, name: string): Promise<Passkey> {
  return context.inTenant(async tx => {
    await requireSignIn(tx, actor);
    const before = found(await queries.findPasskey(tx, actor.userId, id, 'lock'));
    if (before.name !== name) {
      await queries.renamePasskey(tx, id, name);
      const detail = `${before.name} → ${name}`;
      await mailSecurityChange(tx, context, actor.userId, { change: 'passkey_renamed', detail });
    }
    const subject = subjectOf({ id, name });
    await audit(tx, actor, { verb: 'update', subject, before: { name: before.name }, after: { name } });
    return describePasskey(context, { ...before, name });
  });
}

/** Removes a passkey; requires the password. Recovery codes are removed with the last second factor. */
export async function removePasskey(context: Context, actor: Actor, id: string, password: string): Promise<AuthUser> {
  const { inTenant, language } = context;
  await inTenant(async tx => found(await queries.findPasskey(tx, actor.userId, id)));
  await requireOwnPassword(context, actor, password);
  return inTenant(async tx => {
    await requireSignIn(tx, actor);
    const passkey = found(await queries.findPasskey(tx, actor.userId, id));
    foundAgain(await queries.deletePasskey(tx, id));
    await dropCodesWithoutFactor(tx, actor.userId);
    await mailSecurityChange(tx, context, actor.userId, { change: 'passkey_removed', detail: passkey.name });
    const { totp_enabled, passkeys } = await getSecondFactor(tx, actor.userId);
    if (!totp_enabled && passkeys === 0)
      await mailSecurityChange(tx, context, actor.userId, { change: 'two_factor_off' });
    await audit(tx, actor, { verb: 'delete', subject: subjectOf(passkey), before: { host: passkey.host } });
    return describeUser(tx, actor, language);
  });
}
