import { randomInt, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '#features/audit/public.ts';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import { confirmEmail, deleteOtherTokens, getAddress, setPassword } from './auth.queries.ts';
import { lastAsked, rememberAsked } from './last-asked.ts';
import { hashPassword, requirePasswordLength } from './passwords.ts';
import { findForgetful, putCode, takeTry, useCode } from './reset.queries.ts';
import { createThrottle } from './throttle.ts';

const minutes = 15;
const tries = 5;
const codesAnHour = 5;
const perNetwork = createThrottle(20);
// What an answer takes at least, so that its time tells nothing of whether there is such an account.
const floorMs = 250;

const codeHash = ({ secrets }: Pick<App, 'secrets'>, userId: string, code: string): Buffer =>
  secrets.index(`reset|${userId}|${code}`);

async function steadily<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(floorMs)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Mails a code to the address if it is a user's; says nothing either way. */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  const { app, inTenant, request } = context;
  const network = callerNetwork(request.ip);
  perNetwork.check(network);
  perNetwork.failed(network);
  rememberAsked(`${context.tenant.id}|${request.ip}`, email);
  await steadily(
    inTenant(async tx => {
      const user = await findForgetful(tx, email);
      if (!user) return;
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      if (!(await putCode(tx, user.id, { hash: codeHash(app, user.id, code), minutes, maxPerHour: codesAnHour })))
        return;
      const data = { name: user.first_name, code, minutes };
      await queueMail(tx, app, { to: user.email, language: user.language, template: 'reset_code', data });
    }),
  );
}

/** Sets a new password with the mailed code and ends every sign-in. */
export async function resetPassword(
  context: Context,
  body: { email?: string | undefined; code: string; password: string },
): Promise<void> {
  const { app, inTenant, request } = context;
  const network = callerNetwork(request.ip);
  perNetwork.check(network);
  await inTenant(tx => requirePasswordLength(tx, body.password, app.settings.PASSWORD_MIN));
  const code = body.code.replace(/\s/g, '');
  const email = body.email ?? lastAsked(`${context.tenant.id}|${request.ip}`);
  if (email === undefined) throw invalid({ email: 'required' });
  const taken = await steadily(inTenant(tx => takeTry(tx, email, tries)));
  if (!taken || !timingSafeEqual(taken.hash, codeHash(app, taken.user_id, code))) {
    perNetwork.failed(network);
    throw invalid({ code: 'wrong_code' });
  }
  const passwordHash = await hashPassword(body.password);
  await inTenant(async tx => {
    if (!(await useCode(tx, taken.user_id, taken.hash))) throw invalid({ code: 'wrong_code' });
    await setPassword(tx, taken.user_id, passwordHash);
    await confirmEmail(tx, taken.user_id);
    await deleteOtherTokens(tx, taken.user_id, null);
    const { email, first_name, language } = await getAddress(tx, taken.user_id);
    await audit(
      tx,
      { userId: taken.user_id, ip: request.ip },
      {
        verb: 'update',
        subject: { type: 'user', id: taken.user_id, name: email },
        after: { password: 'reset' },
      },
    );
    const link = panelLink(app.settings, context.tenant.slug, '/auth/forgot-password');
    await queueMail(tx, app, { to: email, language, template: 'password_changed', data: { name: first_name, link } });
  });
}
