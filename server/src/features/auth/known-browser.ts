import { timingSafeEqual } from 'node:crypto';
import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';

/**
 * A cookie that a browser gets when its user signs in. Guesses from other browsers may block an account for other
 * browsers only, so strangers cannot lock its owner out. The cookie gives no access by itself.
 */
const days = 365;

type Part = Pick<Context, 'app' | 'tenant' | 'request'>;

const nameOf = ({ app, tenant }: Part, email: string): string =>
  `browser_${app.secrets.index(`browser|${tenant.id}|${email}`).toString('hex').slice(0, 16)}`;

const signatureOf = ({ app, tenant }: Part, email: string, browser: string, until: string): string =>
  app.secrets.sign(`browser|${tenant.id}|${email}|${browser}|${until}`);

/** The id of a browser that has signed in to this account before. */
export function knownBrowser(part: Part, email: string): string | undefined {
  const found = new RegExp(
    `(?:^|;\\s*)${nameOf(part, email)}=([\\w-]{20,64})\\.(\\d{1,12})\\.([0-9a-f]{64})(?=;|$)`,
  ).exec(part.request.headers.cookie ?? '');
  if (!found) return undefined;
  const [, browser = '', until = '', signature = ''] = found;
  const isGenuine = timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(part, email, browser, until)));
  return isGenuine && Number(until) * 1000 > Date.now() ? browser : undefined;
}

/** Marks the browser of this request as known, for another year. */
export function rememberBrowser(context: Context, email: string): void {
  const browser = knownBrowser(context, email) ?? randomToken();
  const seconds = days * 86_400;
  const until = String(Math.floor(Date.now() / 1000) + seconds);
  const value = `${browser}.${until}.${signatureOf(context, email, browser, until)}`;
  const secure = context.app.settings.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  context.reply.header(
    'set-cookie',
    `${nameOf(context, email)}=${value}; Path=/v1/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
