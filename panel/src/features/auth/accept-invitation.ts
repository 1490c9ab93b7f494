import type { authApi } from '@portico/contract/auth.ts';
import type { z } from 'zod';
import { address, call } from '#lib/client.ts';
import { storeToken } from '#lib/session.ts';

const accept = address<typeof authApi.acceptInvitation>('POST', '/v1/team/accept/:token');

/** Accepts the invitation, signing in if needed, then reloads the panel in the joined location. */
export async function acceptInvitation(
  token: string,
  body: z.input<typeof authApi.acceptInvitation.body> = {},
): Promise<void> {
  const { data } = await call(accept, { params: { token }, body });
  if (data.token) storeToken(data.token);
  location.assign('/?reloadAuthentication=1');
}
