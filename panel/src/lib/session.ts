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
export const tokenKey = tenant ? `portico.token.${tenant}` : 'portico.token';
/** Tells the other tabs that the server ended the session, and not the user. */
export const endedKey = `${tokenKey}.ended`;

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
/** Signs in. The place of a session that ended is for its own user only. */
export function signIn({ token: value, user }: { token: string; user: { id: string } }): void {
  storeToken(value);
  if (isOtherUser(user.id) && wasSignedOut()) history.replaceState(null, '', signInPath);
}
export const dropToken = (): void => localStorage.removeItem(tokenKey);
/** Drops a token that the server rejected. */
export function dropEndedToken(): void {
  localStorage.setItem(endedKey, '1');
  dropToken();
}

export const signInPath = '/auth/login';

const userKey = 'portico.user';
/** The key of the text that the user had typed when the session ended. */
export const typedKey = 'portico.typed';

/** Remembers the user of this tab. If it had another one, drops what that one typed. */
export function isOtherUser(id: string): boolean {
  const last = sessionStorage.getItem(userKey);
  sessionStorage.setItem(userKey, id);
  if (last === null || last === id) return false;
  sessionStorage.removeItem(typedKey);
  return true;
}

let leaving = false;

/** Goes to the sign-in page by a full page load, so that no data of the last user stays in memory. */
export const leave = (search = ''): void => location.assign(signInPath + search);

/** Whether this page is being left because the session ended, and not by its user. */
export const endedByServer = (): boolean => leaving;

/** Leaves the session that the server ended. The same user comes back to this place. */
export function leavePlace(): void {
  leaving = true;
  dropEndedToken();
  const here = location.pathname + location.search;
  leave(`?${new URLSearchParams({ ended: '1', ...(here !== '/' && { next: here }) })}`);
}

/** Leaves this page, which belongs to another session than the stored token. */
export function loadAnew(): void {
  leaving = true;
  location.reload();
}

/** Signs out here because the server rejected the token `used`; once, even if several calls failed. */
export function signedOutElsewhere(used: string): void {
  if (leaving) return;
  const now = token();
  if (now === used) leavePlace();
  else if (now) loadAnew();
  // Without a token, the user has signed out here or in another tab, and this page is being left already.
}

/** Whether the server ended the session while it was in use. */
export const wasSignedOut = (): boolean => new URLSearchParams(location.search).has('ended');

/** The page to open after sign-in: always a path of this panel, by default `home`. */
export function safeReturnPath(home = '/'): string {
  const next = new URLSearchParams(location.search).get('next') ?? home;
  return /^\/(?![/\\])/.test(next) ? next : home;
}
