import type { ssoApi } from '@portico/contract/sso.ts';
import { type Said, saidBy } from '#features/auth/said.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { safeReturnPath } from '#lib/session.ts';

const begin = address<typeof ssoApi.begin>('POST', '/v1/user/sso');

const nextKey = 'portico.sso.next';

/** The page to open after a sign-in through the provider. */
export const keptReturnPath = (): string => sessionStorage.getItem(nextKey) ?? '';

/** Goes to the sign-in page of the identity provider. Shows the reason if that fails. */
export async function leaveForProvider(show: (problem: Said) => void, unreachable: string): Promise<void> {
  show('');
  try {
    const { data } = await call(begin);
    sessionStorage.setItem(nextKey, safeReturnPath(''));
    location.assign(data.url);
  } catch (error) {
    show(error instanceof ApiError ? saidBy(error) : unreachable);
  }
}
