import { createHash, timingSafeEqual } from 'node:crypto';
import { hidden } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { askAuthority } from '../../guest-context.ts';
import { type Method, slip } from './method.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Equal but for case and the spaces around, told in the same time whatever the difference. */
export const sameCode = (typed: string, code: string): boolean =>
  timingSafeEqual(digest(typed.trim().toLowerCase()), digest(code.toLowerCase()));

let decoy: string | undefined;

/** In the same time whether there is such an account or not. */
function passwordIs(app: App, encrypted: string | null, typed: string): boolean {
  decoy ??= app.secrets.encrypt('no guest has this');
  const known = app.secrets.read(encrypted ?? decoy);
  const right = timingSafeEqual(digest(known ?? ''), digest(typed));
  return right && known !== undefined && encrypted !== null;
}

export const username: Method<'username'> = {
  target: form => form.username.toLowerCase(),
  shown: form => ({ username: form.username, password: hidden }),
  async prove({ app, at, form }) {
    const missing = (['username', 'password'] as const).filter(field => form[field] === '');
    if (missing.length) return slip('missing', ...missing);
    const decision = await askAuthority(app, at.door, { ...at.state, username: form.username });
    const right = passwordIs(app, decision.password, form.password) && decision.outcome === 'check';
    if (right && decision.visitorId) return { visitorId: decision.visitorId };
    return { problem: 'wrong_credentials', fields: ['username', 'password'], of: decision.visitorId };
  },
};
