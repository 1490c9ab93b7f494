import type { AuthUser, authApi } from '@portico/contract/auth.ts';
import { address, requestHeaders } from '#lib/client.ts';
import { dropToken, token } from '#lib/session.ts';

const me = address<typeof authApi.me>('GET', '/v1/panel/user/me');

/**
 * Who is signed in here, if anyone. A token that is no longer good is dropped without leaving the screen: the link that
 * was opened is good without one.
 */
export async function whoIsHere(): Promise<AuthUser | undefined> {
  if (!token()) return undefined;
  const response = await fetch(me.path, { headers: requestHeaders() });
  if (response.ok) return ((await response.json()) as { data: AuthUser }).data;
  if (response.status === 401) dropToken();
  return undefined;
}
