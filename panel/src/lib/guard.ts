import type { AuthUser } from '@portico/contract/auth.ts';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { ListSearch } from '#lib/search.ts';
import { meQuery } from '#lib/user.ts';

interface Navigation {
  context: { queries: QueryClient };
  location: { pathname: string; search: ListSearch };
}

/** Document 1, section 2.2. start.tsx has already checked that a user is signed in. */
export async function guard({ context: { queries }, location: { pathname, search } }: Navigation): Promise<void> {
  if ('reloadAuthentication' in search) {
    await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    const { reloadAuthentication: _, ...rest } = search;
    throw redirect({ to: pathname as '/', search: rest, replace: true });
  }
  const { data: user } = await queries.ensureQueryData(meQuery);
  const to = detour(user, pathname);
  if (to) throw redirect({ to: to as '/', replace: true });
}

/** Refreshes the user in the background: on every navigation, and when the server refuses what the panel offered. */
export const refreshUser = (queries: QueryClient): Promise<unknown> =>
  queries.prefetchQuery({ ...meQuery, staleTime: 0 });

const security = '/account/security';

function detour(user: AuthUser, pathname: string): string | undefined {
  // If the tenant requires two-factor authentication, the server answers nothing else until it is set up.
  if (user.two_factor.required && !user.two_factor.enabled) return pathname === security ? undefined : security;
  return onboarding(user, pathname);
}

/** The page for users without a set-up location, except auditors. */
const wizard = '/onboarding/device';

function onboarding(user: AuthUser, pathname: string): string | undefined {
  const isNew =
    user.total_devices === 0 && user.total_portals === 0 && !user.can_create_location && user.role !== 'auditor';
  return isNew && !pathname.startsWith('/onboarding/') ? wizard : undefined;
}
