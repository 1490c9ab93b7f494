import type { AuthUser } from '@portico/contract/auth.ts';
import type { Notification } from '@portico/contract/notifications.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { toastSuccess } from '#lib/toast.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import { setUser } from '#lib/user.ts';

const refresh = [api.notifications.list, api.team.own];

/** The latest notifications and the number of unread ones. */
export const useLatest = (enabled: boolean) =>
  useQuery({ ...queryOf(api.notifications.list, { query: { per_page: 12 } }), ...everyMinute, enabled });

export const useNotifications = (search: ListSearch) =>
  useList({
    ...queryOf(api.notifications.list, {
      query: { ...pagingOf(search, 30), unread: search.unread ? 'true' : undefined },
    }),
    ...everyMinute,
  });

export const useOwnInvitations = (enabled: boolean) => useQuery({ ...queryOf(api.team.own), ...everyMinute, enabled });

export function useMarkRead() {
  const send = ({ id }: Notification) => call(api.notifications.read, { params: { id } });
  return useChange({ send, refresh });
}

/** Marks all as read. Notifications that arrive while the reader clicks stay unread. */
export function useMarkAllRead() {
  const { t } = useTranslation('notifications');
  const send = ({ id }: Notification) => call(api.notifications.readAll, { query: { until: id } });
  return useChange({ send, refresh, done: t('allRead') });
}

interface Own {
  id: string;
  location: { name: string };
}

/** The user has access to another location, so everything may have changed. */
export function useAcceptOwn() {
  const { t } = useTranslation('notifications');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (own: Own): Promise<AuthUser> =>
      (await call(api.auth.acceptInvite, { params: { id: own.id } })).data,
    onSuccess: (user, own) => {
      setUser(queries, user);
      void queries.invalidateQueries();
      toastSuccess(t('joined', { location: own.location.name }));
    },
  });
}

export function useDenyOwn() {
  const { t } = useTranslation('notifications');
  return useChange({
    send: ({ id }: Own) => call(api.team.denyOwn, { params: { id } }),
    refresh,
    done: t('denied'),
  });
}
