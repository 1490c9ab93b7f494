import type { OnlineSession } from '@portico/contract/sessions.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionDate } from '#features/sessions/period.ts';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useLocalNow } from '#lib/local-now.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, listOf, pagingOf, searchOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import type { Sorting } from '#ui/sorting.ts';

const onlineFilter = (search: ListSearch) => ({
  ...searchOf(search),
  mac: search.mac,
  ip: search.ip,
  deviceIds: listOf(search.devices),
});

export const useOnline = (search: ListSearch, { order }: Sorting) => {
  const query = { order, ...pagingOf(search), ...onlineFilter(search) };
  return useList({ ...queryOf(api.sessions.online, { query }), ...everyMinute });
};

export const loadOnline = (search: ListSearch, { order }: Sorting, per_page: number) =>
  call(api.sessions.online, { query: { order, ...onlineFilter(search), per_page } });

export const useDeviceChoices = () => {
  const enabled = useCan()('view-devices');
  return useQuery({ ...queryOf(api.devices.list, { query: { per_page: 1000 } }), enabled }).data?.data ?? [];
};

/** The figures above the online list: totals of lists that are fetched with one entry. */
export function useCounts() {
  const can = useCan();
  const one = { per_page: 1 };
  const total = (query: { data?: { meta: { total: number } } | undefined }) => query.data?.meta.total;
  const seesDevices = can('view-devices');
  const devices = useQuery({ ...queryOf(api.devices.list, { query: one }), ...everyMinute, enabled: seesDevices });
  const up = useQuery({
    ...queryOf(api.devices.list, { query: { ...one, status: 'online' } }),
    ...everyMinute,
    enabled: seesDevices,
  });
  const visitors = useQuery({
    ...queryOf(api.visitors.list, { query: one }),
    ...everyMinute,
    enabled: can('view-clients'),
  });
  const overview = useQuery({ ...queryOf(api.statistics.overview, { query: {} }), ...everyMinute });
  return {
    devices: total(devices),
    devicesUp: total(up),
    visitors: total(visitors),
    failed: overview.data?.data.failed_logins,
  };
}

type OnlinePage = { data: OnlineSession[] };

/** Asks the router to end a session. The row shows it at once, and the router's answer once it arrives. */
export function useEndSession() {
  const queries = useQueryClient();
  const mark = (rhid: string, kick: OnlineSession['kick']) =>
    queries.setQueriesData<OnlinePage>({ queryKey: [api.sessions.online.path] }, page =>
      page ? { ...page, data: page.data.map(row => (row.rhid === rhid ? { ...row, kick } : row)) } : page,
    );
  return useMutation({
    mutationFn: ({ rhid }: Pick<OnlineSession, 'rhid'>) => call(api.sessions.kick, { params: { id: rhid } }),
    onMutate: ({ rhid }) => {
      const requested_at = new Date().toISOString();
      mark(rhid, {
        id: rhid,
        kind: 'end',
        state: 'requested',
        words: '',
        reason: 'operator',
        requested_at,
        answered_at: null,
        within: null,
      });
    },
    onSuccess: ({ data }, { rhid }) => mark(rhid, data),
    onError: (_, { rhid }) => mark(rhid, null),
    onSettled: () => queries.invalidateQueries({ queryKey: [api.sessions.online.path] }),
  });
}

/** Asks the routers to end the selected sessions. */
export function useEndSelected() {
  const { t } = useTranslation('sessions');
  const send = (ids: string[]) => call(api.sessions.endSelected, { body: { ids } });
  return useChange({
    send,
    refresh: [api.sessions.online],
    done: ({ data: { told, skipped } }) =>
      [told > 0 && t('selected.done', { count: told }), skipped > 0 && t('selected.skipped', { count: skipped })]
        .filter(Boolean)
        .join(' '),
  });
}

/** Blocks the MAC address of a session at its device. The session ends as well, if the user may end it and the gateway takes commands. */
export function useBlock() {
  const { t } = useTranslation('sessions');
  const can = useCan();
  const end = useEndSession();
  const block = useChange({
    send: ({ device, client_mac }: OnlineSession) =>
      call(api.devices.macs.create, {
        params: { id: device.id },
        body: { mac: client_mac ?? '', type: 'blocked', comment: t('blockComment') },
      }),
    refresh: [api.devices.macs.list],
    done: t('blocked'),
    undo: ({ device }, { data }) => call(api.devices.macs.delete, { params: { id: device.id, macId: data.id } }),
  });
  return {
    isPending: block.isPending,
    block: (session: OnlineSession) =>
      block.mutate(session, { onSuccess: () => session.endable && can('update-clients') && end.mutate(session) }),
  };
}

const historyFilter = (search: ListSearch, now: Date) => ({
  search: search.search,
  client_mac: search.mac,
  user_ip: search.ip,
  deviceIds: listOf(search.devices),
  session_date: sessionDate(search.period, now),
});

export function useHistory(search: ListSearch, { order }: Sorting) {
  const query = { order, ...historyFilter(search, useLocalNow()()), ...pagingOf(search) };
  return useList(queryOf(api.sessions.history, { query }));
}

/** Downloads all sessions that match the filters as CSV. */
export function useDownloadHistory() {
  const now = useLocalNow();
  return useMutation({
    mutationFn: (search: ListSearch) =>
      download(api.sessions.history, 'session-reports.csv', {
        query: { ...historyFilter(search, now()), per_page: 1_000_000, download: true },
      }),
  });
}
