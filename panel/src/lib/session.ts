/** The session: a bearer token per tenant, kept in local storage and shared by the tabs. */

const tenantKey = 'portico.tenant';

/**
 * The tenant of `?tenant=`, remembered for the next pages; an empty value returns to the tenant of the host.
 * For hosts without a tenant, such as localhost: see `dropOverride`.
 */
function readTenant(): string {
  const asked = new URLSearchParams(location.search).get('tenant');
  if (asked !== null) localStorage.setItem(tenantKey, asked);
  return localStorage.getItem(tenantKey) ?? '';
}

const tenant = readTenant();
const tokenKey = tenant ? `portico.token.${tenant}` : 'portico.token';
/** Tells the other tabs that the server ended the session, and not the user. */
const endedKey = `${tokenKey}.ended`;

export const tenantOverride = (): string => tenant;

/**
 * Returns to the tenant of the host. On a domain, a link to another tenant would show its sign-in page under a name that people
 * trust, and lead on to its identity provider.
 */
export function dropOverride(): void {
  localStorage.removeItem(tenantKey);
  const search = new URLSearchParams(location.search);
  search.delete('tenant');
  location.replace(location.pathname + (search.size > 0 ? `?${search}` : '') + location.hash);
}

export const token = (): string | null => localStorage.getItem(tokenKey);
export function storeToken(value: string): void {
  localStorage.removeItem(endedKey);
  localStorage.setItem(tokenKey, value);
}
export const dropToken = (): void => localStorage.removeItem(tokenKey);
/** Drops a token that the server rejected. */
export function dropEndedToken(): void {
  localStorage.setItem(endedKey, '1');
  dropToken();
}

export const signInPath = '/auth/login';

let leaving = false;

/** Signs out by a full page load, so that no data of the last user stays in memory. */
export function leave(returnTo?: string, search = new URLSearchParams()): void {
  dropToken();
  if (returnTo && returnTo !== '/') search.set('next', returnTo);
  location.assign(search.size > 0 ? `${signInPath}?${search}` : signInPath);
}

/** Whether this page is being left because the session ended, and not by its user. */
export const endedByServer = (): boolean => leaving;

/** Signs out here because the server rejected the token; once, even if several calls failed. */
export function signedOutElsewhere(): void {
  if (leaving) return;
  leaving = true;
  dropEndedToken();
  leave(location.pathname + location.search, new URLSearchParams({ ended: '1' }));
}

/** Whether the server ended the session while it was in use. */
export const wasSignedOut = (): boolean => new URLSearchParams(location.search).has('ended');

/** Follows a sign-out in another tab. If the server ended the session, this tab keeps its place and what was typed, too. */
export function watchOtherTabs(): void {
  addEventListener('storage', event => {
    if (event.key !== tokenKey || event.newValue !== null) return;
    // This tab slept, and another has signed in since, perhaps as somebody else.
    if (token()) {
      leaving = true;
      location.reload();
    } else if (localStorage.getItem(endedKey)) signedOutElsewhere();
    else leave();
  });
}

/** The page to open after sign-in: always a path of this panel, by default `home`. */
export function safeReturnPath(home = '/'): string {
  const next = new URLSearchParams(location.search).get('next') ?? home;
  return /^\/(?![/\\])/.test(next) ? next : home;
}
