import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useLocalNow } from '#lib/local-now.ts';
import { useCan } from '#lib/permissions.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';

/** Guests online at a device. */
export function useOnlineAt(id: string, { per_page }: { per_page: number }) {
  const enabled = useCan()('view-basic-stats');
  const query = { deviceIds: [id], per_page };
  return useQuery({ ...queryOf(api.sessions.online, { query }), ...everyMinute, enabled });
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
const day = (date: Date) => `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** Sessions of a device in the last seven days, newest first. */
export function useRecentSessions(id: string, search: ListSearch) {
  const now = useLocalNow()();
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 6);
  const session_date = [`${day(from)} 00:00:00`, `${day(now)} 23:59:59`];
  const query = { deviceIds: [id], session_date, ...pagingOf(search, 20) };
  return useList({ ...queryOf(api.sessions.history, { query }), ...everyMinute });
}
