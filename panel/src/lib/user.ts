import type { AuthUser, authApi } from '@portico/contract/auth.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { address, queryOf } from '#lib/client.ts';
import { setTimeZone } from '#lib/format.ts';
import { leftToOther } from '#lib/other-user.ts';

const me = queryOf(address<typeof authApi.me>('GET', '/v1/panel/user/me'));

/** Reads the signed-in user, whose time zone is that of every time on the screen. */
export const meQuery = {
  ...me,
  queryFn: async (context: { signal: AbortSignal }) => {
    const answer = await me.queryFn(context);
    // Another tab may have signed in as another user. Nothing of that one is shown before this page goes.
    if (leftToOther(answer.data.id)) return new Promise<never>(() => {});
    setTimeZone(answer.data.time_zone);
    return answer;
  },
  staleTime: 30_000,
};

/** The signed-in user. The guard loads it before any screen renders. */
export function useUser(): AuthUser {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('A screen that needs a user was rendered without one');
  return data.data;
}

/** Members work at one location at a time. */
export const seesAllLocations = (user: AuthUser): boolean => user.role !== 'member';

export const setUser = (queries: QueryClient, user: AuthUser): void => {
  setTimeZone(user.time_zone);
  queries.setQueryData(meQuery.queryKey, { data: user });
};
