import type { Location, licenseFilters, locationForm } from '@portico/contract/locations.ts';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { everyMinute } from '#lib/use-live.ts';
import { meQuery, setUser } from '#lib/user.ts';

export type LicenseFilter = (typeof licenseFilters)[number];
const perPage = 100;
const refresh = [api.locations.list, api.locations.get, { path: meQuery.queryKey[0] }];

/** The customers in parts of a hundred: the next part is fetched when the list is scrolled near its end. */
export function useCustomers(filter: { license: LicenseFilter; name: string | undefined }) {
  return useInfiniteQuery({
    queryKey: [api.locations.list.path, 'customers', filter] as const,
    queryFn: ({ pageParam, signal }) =>
      call(api.locations.list, { query: { ...filter, page: pageParam, per_page: perPage }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : undefined),
  });
}

export const useCustomer = (id: string | undefined) =>
  useQuery({ ...queryOf(api.locations.get, { params: { id: id ?? '' } }), enabled: Boolean(id) });

export const useDevicesOf = (id: string) => {
  const query = { location_id: id, per_page: 1000 };
  return useQuery({ ...queryOf(api.devices.list, { query }), ...everyMinute });
};

/** Works in the customer's location from now on, so that every other screen shows what is its. */
export function useSelectTeam() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.auth.changeTeam, { params: { id } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      // The customers themselves are the same in every team.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== api.locations.list.path });
    },
  });
}

/** Portals that belong to no location: a new customer can be given one of them at once. */
export function useSharedPortals() {
  const enabled = useCan()('view-portals');
  const { data } = useQuery({ ...queryOf(api.portals.list, { query: { per_page: 999 } }), enabled });
  return data?.data.filter(portal => portal.location_id === null) ?? [];
}

export function useCreateCustomer() {
  const { t } = useTranslation('customers');
  const send = (body: z.input<typeof locationForm>) => call(api.locations.create, { body });
  return useChange({ send, refresh, done: t('created') });
}

export function useLicenseCustomer({ id }: Location) {
  const { t } = useTranslation('customers');
  const send = (license_end_at: string) => call(api.locations.license, { params: { id }, body: { license_end_at } });
  return useChange({ send, refresh: [...refresh, api.devices.list, api.devices.get], done: t('licensed') });
}
