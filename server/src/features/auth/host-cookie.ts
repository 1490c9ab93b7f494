import type { Context } from '#http/call.ts';

/*
 * Cookies that only this host can set. With TLS their names begin with `__Host-`: browsers take such a cookie from the host itself
 * only. Else a site beside the panel, or a stranger in the same Wi-Fi, could put a cookie of their own attempt in a browser, and
 * sign its user in to their account.
 */

const isSecure = ({ app }: Pick<Context, 'app'>): boolean => app.settings.PUBLIC_URL.startsWith('https:');
const nameOf = (context: Pick<Context, 'app'>, name: string): string => `${isSecure(context) ? '__Host-' : ''}${name}`;

/** `path`: where the cookie is sent without TLS. `__Host-` demands the whole host. */
export function setHostCookie(
  context: Context,
  { name, value, seconds, path }: { name: string; value: string; seconds: number; path: string },
): void {
  const place = isSecure(context) ? 'Path=/; Secure' : `Path=${path}`;
  context.reply.header(
    'set-cookie',
    `${nameOf(context, name)}=${value}; ${place}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`,
  );
}

/** The token in a cookie of this host. */
export function hostCookie(context: Pick<Context, 'app' | 'request'>, name: string): string | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${nameOf(context, name)}=([\\w-]{20,100})(?=;|$)`);
  return pattern.exec(context.request.headers.cookie ?? '')?.[1];
}
