import type { memberOrders } from '@portico/contract/list-orders.ts';
import type { Invitation, inviteForm, Member } from '@portico/contract/team.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { meQuery } from '#lib/user.ts';
import type { Sorting } from '#ui/sorting.ts';

type Invite = z.input<typeof inviteForm>;
type Grant = Pick<Invite, 'permissions' | 'roleIds' | 'deviceIds'>;

/** The signed-in user too, whose own permissions may have changed. */
const refresh = [api.team.list, api.team.invites, { path: meQuery.queryKey[0] }];

type Ordering = Pick<Sorting<(typeof memberOrders)[number]>, 'by' | 'order'>;

export const useMembers = (locationId: string, search: ListSearch, { by, order }: Ordering) =>
  useList(
    queryOf(api.team.list, {
      params: { id: locationId },
      query: { ...pagingOf(search), search: search.search, sort: by, order },
    }),
  );

/** All on one page: they are few, and the page in the address belongs to the members. */
export const useInvitations = (locationId: string) =>
  useQuery(queryOf(api.team.invites, { params: { id: locationId }, query: { per_page: 1000 } }));

export function useInvite(locationId: string) {
  const { t } = useTranslation('team');
  const send = (body: Invite) => call(api.team.invite, { params: { id: locationId }, body });
  return useChange({ send, refresh, done: t('invited') });
}

export function useUpdateMember(locationId: string, { id }: Member) {
  const { t } = useTranslation('team');
  const send = (body: Grant) => call(api.team.update, { params: { id: locationId, userId: id }, body });
  return useChange({ send, refresh, done: t('updated') });
}

export function useRevoke(locationId: string) {
  const { t } = useTranslation('team');
  const send = ({ id }: Member) => call(api.team.revoke, { params: { id: locationId, userId: id } });
  return useChange({ send, refresh, done: t('revoked') });
}

export function useResend() {
  const { t } = useTranslation('team');
  const send = ({ id }: Invitation) => call(api.team.resend, { params: { id } });
  return useChange({ send, refresh, done: t('resent') });
}

export function useCancelInvitation() {
  const { t } = useTranslation('team');
  const send = ({ id }: Invitation) => call(api.team.cancel, { params: { id } });
  return useChange({ send, refresh, done: t('cancelled') });
}
