import { createHash, timingSafeEqual } from 'node:crypto';
import { hidden, provesPassword, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { inputError, type Method } from './method.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time; ignores case and surrounding spaces. */
export const sameCode = (typed: string, code: string): boolean =>
  timingSafeEqual(digest(typed.trim().toLowerCase()), digest(code.toLowerCase()));

let decoy: string | undefined;

/** Compares a password. It takes the same time without an account (`password` null). */
async function isPassword(app: App, decision: SignInDecision, typed: string): Promise<boolean> {
  decoy ??= app.secrets.encrypt('no guest has this');
  const known = { ...decision, password: decision.password ?? decoy };
  const is = (clear: string) => timingSafeEqual(digest(clear), digest(typed));
  return (await provesPassword(app, known, { password: typed, is })) && decision.password !== null;
}

/** The form in which visitors' user names are stored. */
const composed = (form: { username: string }): string => form.username.normalize('NFC');

export const username: Method<'username'> = {
  target: form => composed(form).toLowerCase(),
  recorded: form => ({ username: form.username, password: hidden }),
  async prove({ app, authorize, request, form }) {
    const missing = (['username', 'password'] as const).filter(field => form[field] === '');
    if (missing.length) return inputError('missing', ...missing);
    const { mac, ip } = request.visit;
    const decision = await authorize(request.context, { username: composed(form), mac, ip });
    const { visitor_id: visitorId } = decision.granting;
    const isRight = (await isPassword(app, decision, form.password)) && decision.outcome === 'check';
    if (isRight && visitorId) return { visitorId };
    return { problem: 'wrong_credentials', fields: ['username', 'password'], visitorId };
  },
};
