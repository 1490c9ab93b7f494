import type { AuthUser, authApi } from '@portico/contract/auth.ts';
import { address, requestHeaders } from '#lib/client.ts';
import { dropEndedToken, token } from '#lib/session.ts';

const me = address<typeof authApi.me>('GET', '/v1/panel/user/me');

/**
 * The signed-in user, if any. An invalid token is dropped without leaving the screen, because the link that
 * was opened works without one.
 */
export async function signedInUser(): Promise<AuthUser | undefined> {
  if (!token()) return undefined;
  const response = await fetch(me.path, { headers: requestHeaders() });
  if (response.ok) return ((await response.json()) as { data: AuthUser }).data;
  if (response.status === 401) dropEndedToken();
  return undefined;
}
