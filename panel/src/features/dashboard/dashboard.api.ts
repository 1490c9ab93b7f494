import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilter } from '#features/dashboard/filter.ts';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { type ListSearch, listOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

/** The current figures stay until those of the new filter have loaded. */
const steady = { ...everyMinute, placeholderData: keepPreviousData } as const;

export const useOverview = (search: ListSearch) =>
  useQuery({ ...queryOf(api.statistics.overview, { query: useFilter(search) }), ...steady });

export const useVisits = (search: ListSearch) =>
  useQuery({ ...queryOf(api.statistics.visits, { query: useFilter(search) }), ...steady });

export const breakdowns = ['platforms', 'browsers', 'devices'] as const;
export type BreakdownName = (typeof breakdowns)[number];

export const useBreakdown = (name: BreakdownName, search: ListSearch) =>
  useQuery({ ...queryOf(api.statistics[name], { query: useFilter(search) }), ...steady });

/** The filtered devices, at most a thousand. The location filter is applied here. */
export function useFilteredDevices(search: ListSearch) {
  const enabled = useCan()('view-devices');
  const query = useList({ ...queryOf(api.devices.list, { query: { per_page: 1000 } }), ...everyMinute, enabled });
  const [locations, devices] = [listOf(search.locations), listOf(search.devices)];
  const rows = query.data?.data.filter(
    row => (!locations || locations.includes(row.location_id)) && (!devices || devices.includes(row.id)),
  );
  return { ...query, data: rows && { data: rows } };
}

/** The current problems, besides devices that are offline. */
export const useProblems = (search: ListSearch) =>
  useQuery({
    ...queryOf(api.statistics.problems, { query: { locationIds: listOf(search.locations) } }),
    ...everyMinute,
  });

/** The state of each location. */
export const useHealth = (enabled = true) => useQuery({ ...queryOf(api.statistics.health), ...everyMinute, enabled });

/** The location where the user works; disabled for those who look at all. */
export function useHere() {
  const id = useWorkingLocation();
  return useQuery({ ...queryOf(api.locations.get, { params: { id: id ?? '' } }), enabled: id !== null });
}

export interface DialogFilter {
  mac: string;
  ip: string;
  /** The whole name that a guest typed. */
  typed: string;
  devices: string[];
  page: number;
}

/** The page size of the online dialog (document 2, section 9). */
const onlinePage = 200;

/** Devices chosen in the dialog replace those of the dashboard's filter. */
export const useOnlineUsers = (search: ListSearch, { mac, ip, devices, page }: DialogFilter) => {
  const chosen = { locationIds: listOf(search.locations), deviceIds: listOf(search.devices) };
  const query = { ...chosen, mac, ip, page, per_page: onlinePage };
  if (devices.length > 0) query.deviceIds = devices;
  return useList({ ...queryOf(api.sessions.online, { query }), ...everyMinute });
};

export function useFailedLogins(search: ListSearch, { mac, ip, typed, page }: Omit<DialogFilter, 'devices'>) {
  const query = { ...useFilter(search), mac, ip, typed: typed || undefined, page, per_page: 25 };
  return useList({ ...queryOf(api.sessions.failedLogins, { query }), ...everyMinute });
}
