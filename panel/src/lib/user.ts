import type { AuthUser, authApi } from '@portico/contract/auth.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { address, queryOf } from '#lib/client.ts';

export const meQuery = { ...queryOf(address<typeof authApi.me>('GET', '/v1/panel/user/me')), staleTime: 30_000 };

/** The signed-in user. The guard loads it before any screen renders. */
export function useUser(): AuthUser {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('A screen that needs a user was rendered without one');
  return data.data;
}

export const setUser = (queries: QueryClient, user: AuthUser): void => {
  queries.setQueryData(meQuery.queryKey, { data: user });
};
