import { randomInt, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { passwordsRefusedBy } from '#features/tenants/public.ts';
import { beginAttempt, countOne, createLimit, fits, ofNetwork } from '#features/throttle/public.ts';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import { confirmEmail, deleteEveryToken, getAddress, setPassword } from './auth.queries.ts';
import { dropPending } from './confirmations.queries.ts';
import { knownBrowser, rememberBrowser } from './known-browser.ts';
import { lastAsked, rememberAsked } from './last-asked.ts';
import { askPasswordWithPasskeys } from './passkeys.queries.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { findUserByEmail, type LiveCode, listOtherCodes, putCode, takeTry, useCode } from './reset.queries.ts';
import { dropFactors } from './two-factor.queries.ts';

const minutes = 15;
const maxTries = 5;
const codesPerHour = 5;
const perNetwork = createLimit('password reset', 20);
/** Codes that browsers unknown to the account ask for, over all networks. */
const codesOfAccount = createLimit('reset codes', 10, 60);
/** Tries at codes that another network or browser asked for. */
const strayTries = createLimit('stray reset tries', maxTries);
/** The minimum time of an answer, so that it does not tell whether the account exists. */
const floorMs = 250;

const codeHash = ({ secrets }: Pick<App, 'secrets'>, userId: string, code: string): Buffer =>
  secrets.index(`reset|${userId}|${code}`);

/**
 * The source of a request: a browser known to the account, else a network. Each source has its own code with its own tries,
 * so that strangers cannot use up those of the owner.
 */
function sourceOf(context: Context, email: string): { known: boolean; source: Buffer } {
  const browser = knownBrowser(context, email);
  const source = browser ?? callerNetwork(context.request.ip);
  return { known: browser !== undefined, source: context.app.secrets.index(`reset source|${source}`) };
}

async function steadily<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(floorMs)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Mails a code to the address if it is a user's. The answer is the same either way. */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  const { app, request } = context;
  await countOne(app, ofNetwork(perNetwork, request.ip));
  rememberAsked(`${context.tenant.id}|${request.ip}`, email);
  await steadily(context.inTenant(tx => mailCode(tx, context, email)));
}

async function mailCode(tx: Tx, context: Context, email: string): Promise<void> {
  const { app } = context;
  const user = await findUserByEmail(tx, email);
  if (!user || (await passwordsRefusedBy(tx, user.id)) !== undefined) return;
  const { known, source } = sourceOf(context, email);
  if (!known && !(await fits(tx, app, [[codesOfAccount, user.id]]))) return;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = codeHash(app, user.id, code);
  if (!(await putCode(tx, user.id, { source, hash, minutes, maxPerHour: codesPerHour }))) return;
  const data = { name: user.first_name, code, minutes };
  await queueMail(tx, app, { to: user.email, language: user.language, template: 'reset_code', data, minutes });
}

/** The code that was typed, if it is a valid one of the account. */
async function findTyped(context: Context, email: string, typed: string): Promise<LiveCode | undefined> {
  const { app, inTenant } = context;
  const { source } = sourceOf(context, email);
  const matches = (it: LiveCode) => timingSafeEqual(it.hash, codeHash(app, it.user_id, typed));
  const own = await inTenant(tx => takeTry(tx, email, source, maxTries));
  if (own) return matches(own) ? own : undefined;
  const attempt = await beginAttempt(app, [[strayTries, `${context.tenant.id}|${email}`]]);
  try {
    const other = (await inTenant(tx => listOtherCodes(tx, email, source))).find(matches);
    if (!other) await attempt.failed();
    return other;
  } finally {
    await attempt.end();
  }
}

/** Sets a new password with the mailed code; ends every sign-in and personal token. */
export async function resetPassword(
  context: Context,
  body: { email?: string | undefined; code: string; password: string },
): Promise<void> {
  const { app, inTenant, request } = context;
  await inTenant(tx => requireGoodPassword(tx, body, app.settings.PASSWORD_MIN));
  const typed = body.code.replace(/\s/g, '');
  const email = body.email ?? lastAsked(`${context.tenant.id}|${request.ip}`);
  if (email === undefined) throw invalid({ email: 'required' });
  const attempt = await beginAttempt(app, ofNetwork(perNetwork, request.ip));
  try {
    const code = await steadily(findTyped(context, email, typed));
    if (!code) {
      await attempt.failed();
      throw invalid({ code: 'wrong_code' });
    }
    await setForgottenPassword(context, code, body.password);
  } finally {
    await attempt.end();
  }
  rememberBrowser(context, email);
}

async function setForgottenPassword(context: Context, taken: LiveCode, password: string): Promise<void> {
  const { app, inTenant, request } = context;
  const passwordHash = await hashPassword(password);
  await inTenant(async tx => {
    const isRefused = (await passwordsRefusedBy(tx, taken.user_id)) !== undefined;
    if (isRefused || !(await useCode(tx, taken.user_id, taken.hash))) throw invalid({ code: 'wrong_code' });
    const { email, first_name, language, email_confirmed } = await getAddress(tx, taken.user_id);
    // A second factor that someone else set up before the address was confirmed.
    if (!email_confirmed) await dropFactors(tx, taken.user_id);
    await setPassword(tx, taken.user_id, passwordHash);
    await askPasswordWithPasskeys(tx, taken.user_id);
    await confirmEmail(tx, taken.user_id);
    await deleteEveryToken(tx, taken.user_id);
    await dropPending(tx, taken.user_id);
    await audit(
      tx,
      { userId: taken.user_id, ip: request.ip },
      {
        verb: 'update',
        subject: { type: 'user', id: taken.user_id, name: email },
        after: { password_reset: true },
      },
    );
    const link = panelLink(app.settings, context.tenant.slug, '/auth/forgot-password');
    await queueMail(tx, app, { to: email, language, template: 'password_changed', data: { name: first_name, link } });
  });
}
