import type { AuthUser } from '@portico/contract/auth.ts';
import type { PasskeyAnswer } from '@portico/contract/passkey-shapes.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { getTenant } from '#features/tenants/public.ts';
import { beginAttempt, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { deleteOtherTokens } from './auth.queries.ts';
import { describeUser } from './describe.service.ts';
import { requireOwnPassword, requireSignIn } from './own-password.ts';
import { checkAnswer } from './passkey-answers.ts';
import { newRecoveryCodes, redeemRecoveryCode } from './recovery-codes.ts';
import { mailSecurityChange } from './security-mail.ts';
import { matchingStep, newTotpSecret, totpUri } from './totp.ts';
import * as queries from './two-factor.queries.ts';

// By user, not by address: six digits must not be guessed from many addresses at once.
const guesses = createLimit('second factor', 5);

function openFactor({ secrets }: App, stored: string): string {
  const secret = secrets.read(stored);
  if (secret === undefined) throw new AppError('two_factor_unreadable');
  return secret;
}

interface GivenFactor {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/**
 * Requires the second factor if the account has one, on every host: 422 if it is missing, wrong, used or outdated.
 * Without one, the errors name what the account has: `code`, `passkey` or both. A recovery code always does.
 * Returns the id of the passkey that it was.
 */
export async function requireSecondFactor(
  context: Context,
  userId: string,
  given: GivenFactor,
): Promise<string | undefined> {
  const { app, inTenant } = context;
  const { code, passkey } = given;
  const factor = await inTenant(tx => queries.getSecondFactor(tx, userId));
  if (!factor.totp_enabled && factor.passkeys === 0) return undefined;
  if (passkey && factor.passkeys > 0) {
    const { id } = await checkAnswer(context, passkey, { purpose: 'second-factor', userId });
    return id;
  }
  if (!code) {
    const fields = {
      ...(factor.totp_enabled && { code: 'required' as const }),
      ...(factor.passkeys > 0 && { passkey: 'required' as const }),
    };
    throw new AppError('two_factor_required', { fields });
  }
  const secret = factor.totp_enabled && factor.totp_secret ? openFactor(app, factor.totp_secret) : undefined;
  const attempt = await beginAttempt(app, [[guesses, userId]]);
  try {
    if (!(await inTenant(tx => redeem(tx, context, { userId, secret, code })))) {
      await attempt.failed();
      throw invalid({ code: 'wrong_code' });
    }
    await attempt.succeeded(guesses);
    return undefined;
  } finally {
    await attempt.end();
  }
}

async function redeem(
  tx: Tx,
  context: Context,
  it: { userId: string; secret: string | undefined; code: string },
): Promise<boolean> {
  const digits = it.code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return redeemRecoveryCode(tx, context, it.userId, it.code);
  const step = it.secret === undefined ? undefined : matchingStep(it.secret, digits, Date.now());
  return step !== undefined && queries.takeStep(tx, it.userId, step);
}

export async function beginTwoFactor(context: Context, actor: Actor, password: string) {
  await requireOwnPassword(context, actor, password);
  const secret = newTotpSecret();
  const uri = await context.inTenant(async tx => {
    await requireSignIn(tx, actor);
    const { email } = await queries.getSecondFactor(tx, actor.userId);
    if (!(await queries.proposeSecret(tx, actor.userId, context.app.secrets.encrypt(secret))))
      throw new AppError('conflict');
    return totpUri(secret, email, (await getTenant(tx)).brand_name);
  });
  const { default: qrcode } = await import('qrcode');
  const svg = await qrcode.toString(uri, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

/** Enables the proposed second factor and ends the other sign-ins. The recovery codes are shown this once. */
export async function confirmTwoFactor(
  context: Context,
  actor: Actor,
  code: string,
): Promise<{ recovery_codes: string[]; user: AuthUser }> {
  const { app, inTenant } = context;
  const factor = await inTenant(tx => queries.getSecondFactor(tx, actor.userId));
  if (factor.totp_enabled || !factor.totp_secret) throw new AppError('conflict');
  const step = await matchingNewCode(app, actor, { secret: openFactor(app, factor.totp_secret), code });
  const { codes, hashes } = newRecoveryCodes(context, actor.userId);
  const user = await inTenant(async tx => {
    await requireSignIn(tx, actor);
    await queries.takeStep(tx, actor.userId, step);
    if (!(await queries.enable(tx, actor.userId, hashes))) throw new AppError('conflict');
    // These signed in with the password alone.
    await deleteOtherTokens(tx, actor.userId, actor.tokenId);
    const field = factor.passkeys > 0 ? 'authenticator_app' : 'two_factor';
    const change = factor.passkeys > 0 ? 'app_added' : 'two_factor_on';
    await mailSecurityChange(tx, context, actor.userId, { change });
    await audit(tx, actor, {
      verb: 'update',
      subject: { type: 'user', id: actor.userId, name: factor.email },
      before: { [field]: false },
      after: { [field]: true },
    });
    return describeUser(tx, actor, context.language);
  });
  return { recovery_codes: codes, user };
}

/** The time step of a code of the proposed secret; throws 422 when it does not match. */
async function matchingNewCode(app: App, actor: Actor, it: { secret: string; code: string }): Promise<number> {
  const attempt = await beginAttempt(app, [[guesses, actor.userId]]);
  try {
    const step = matchingStep(it.secret, it.code.replace(/\s/g, ''), Date.now());
    if (step !== undefined) return step;
    await attempt.failed();
    throw invalid({ code: 'wrong_code' });
  } finally {
    await attempt.end();
  }
}

export async function endTwoFactor(context: Context, actor: Actor, password: string): Promise<AuthUser> {
  await requireOwnPassword(context, actor, password);
  return context.inTenant(async tx => {
    await requireSignIn(tx, actor);
    const { email, totp_enabled, passkeys } = await queries.getSecondFactor(tx, actor.userId);
    await queries.disable(tx, actor.userId);
    await queries.dropCodesWithoutFactor(tx, actor.userId);
    if (totp_enabled) {
      // Passkeys remain a second factor without the app.
      const field = passkeys > 0 ? 'authenticator_app' : 'two_factor';
      const change = passkeys > 0 ? 'app_removed' : 'two_factor_off';
      await mailSecurityChange(tx, context, actor.userId, { change });
      await audit(tx, actor, {
        verb: 'update',
        subject: { type: 'user', id: actor.userId, name: email },
        before: { [field]: true },
        after: { [field]: false },
      });
    }
    return describeUser(tx, actor, context.language);
  });
}
