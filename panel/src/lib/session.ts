/** Who is signed in here: a bearer token per tenant, kept in local storage and shared by the tabs. */

const tenantKey = 'portico.tenant';

/**
 * The tenant that `?tenant=` asked for, remembered for the next pages; an empty one returns to the tenant of the host.
 * Used on addresses that name no tenant, such as localhost.
 */
function readTenant(): string {
  const asked = new URLSearchParams(location.search).get('tenant');
  if (asked !== null) localStorage.setItem(tenantKey, asked);
  return localStorage.getItem(tenantKey) ?? '';
}

const tenant = readTenant();
const tokenKey = tenant ? `portico.token.${tenant}` : 'portico.token';

export const tenantOverride = (): string => tenant;
export const token = (): string | null => localStorage.getItem(tokenKey);
export const keepToken = (value: string): void => localStorage.setItem(tokenKey, value);
export const dropToken = (): void => localStorage.removeItem(tokenKey);

export const signInPath = '/auth/login';

/** Leaves by a full page load, so that nothing of the last user stays in memory. */
export function leave(returnTo?: string): void {
  dropToken();
  location.assign(returnTo && returnTo !== '/' ? `${signInPath}?next=${encodeURIComponent(returnTo)}` : signInPath);
}

let leaving = false;

/** The server no longer knows the token: signs out here as well, once, however many calls were refused. */
export function signedOutElsewhere(): void {
  if (leaving) return;
  leaving = true;
  leave(location.pathname + location.search);
}

/** Follows a sign-out in another tab. */
export function watchOtherTabs(): void {
  addEventListener('storage', event => {
    if (event.key === tokenKey && event.newValue === null) leave();
  });
}

/** Where to go after sign-in: only ever a path of this panel; `home` when none was asked for. */
export function safeReturnPath(home = '/'): string {
  const next = new URLSearchParams(location.search).get('next') ?? home;
  return /^\/(?![/\\])/.test(next) ? next : home;
}
