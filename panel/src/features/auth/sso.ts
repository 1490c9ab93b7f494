import type { ssoApi } from '@portico/contract/sso.ts';
import { type Said, saidBy } from '#features/auth/said.ts';
import { ApiError, address, call } from '#lib/client.ts';

const begin = address<typeof ssoApi.begin>('POST', '/v1/user/sso');

const searchKey = 'portico.sso.search';

/** The search of the sign-in page that the user left for the provider. It names the page to open next. */
export const keptSearch = (): string => sessionStorage.getItem(searchKey) ?? '';

/** Goes to the sign-in page of the identity provider. Shows the reason if that fails. */
export async function leaveForProvider(show: (problem: Said) => void, unreachable: string): Promise<void> {
  show('');
  try {
    const { data } = await call(begin);
    sessionStorage.setItem(searchKey, location.search);
    location.assign(data.url);
  } catch (error) {
    show(error instanceof ApiError ? saidBy(error) : unreachable);
  }
}
