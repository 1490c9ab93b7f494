import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';
import { hashesOf, isSignedFor, signFor } from '#lib/secrets.ts';

/**
 * A cookie that a browser gets when its user signs in. Guesses from other browsers may block an account for other
 * browsers only, so strangers cannot lock its owner out. The cookie gives no access by itself.
 */
const days = 365;

type Part = Pick<Context, 'app' | 'tenant' | 'request'>;

/** The name of the cookie; the second one is of before 0.6. */
const namesOf = ({ app, tenant }: Part, email: string): string[] =>
  hashesOf(app.secrets, tenant.id, `browser|${tenant.id}|${email}`).map(
    hash => `browser_${hash.toString('hex').slice(0, 16)}`,
  );

const textOf = ({ tenant }: Part, email: string, browser: string, until: string): string =>
  `browser|${tenant.id}|${email}|${browser}|${until}`;

/** The id of a browser that has signed in to this account before. */
export function knownBrowser(part: Part, email: string): string | undefined {
  for (const name of namesOf(part, email)) {
    const [, browser = '', until = '', signature = ''] =
      new RegExp(`(?:^|;\\s*)${name}=([\\w-]{20,64})\\.(\\d{1,12})\\.([0-9a-f]{64})(?=;|$)`).exec(
        part.request.headers.cookie ?? '',
      ) ?? [];
    const isGenuine = isSignedFor(part.app.secrets, part.tenant.id, textOf(part, email, browser, until), signature);
    if (isGenuine && Number(until) * 1000 > Date.now()) return browser;
  }
  return undefined;
}

/** Marks the browser of this request as known, for another year. */
export function rememberBrowser(context: Context, email: string): void {
  const browser = knownBrowser(context, email) ?? randomToken();
  const seconds = days * 86_400;
  const until = String(Math.floor(Date.now() / 1000) + seconds);
  const { app, tenant } = context;
  const signature = signFor(app.secrets, tenant.id, textOf(context, email, browser, until));
  const value = `${browser}.${until}.${signature}`;
  const secure = context.app.settings.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  context.reply.header(
    'set-cookie',
    `${namesOf(context, email)[0]}=${value}; Path=/v1/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
