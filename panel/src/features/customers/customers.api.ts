import { concerns, customerOrders } from '@portico/contract/customer-kinds.ts';
import type { extendForm, handOverForm } from '@portico/contract/customers.ts';
import type { Location, licenseFilters, licenseForm, locationForm } from '@portico/contract/locations.ts';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { closeUndo } from '#lib/toast.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import { meQuery, setUser } from '#lib/user.ts';

export type LicenseFilter = (typeof licenseFilters)[number];
export const filters = ['all', 'in_demo', 'suspended', 'active'] as const satisfies readonly LicenseFilter[];
const perPart = 100;
const refresh = [api.locations.list, api.locations.get, api.customers.overview, { path: meQuery.queryKey[0] }];

export interface CustomerFilter {
  license: LicenseFilter;
  name: string | undefined;
}

/** The customers by index in the list. Only the visible parts of it are loaded. */
export function useCustomers(filter: CustomerFilter) {
  const [seen, see] = useState({ first: 0, last: 0 });
  const parts = range(Math.floor(seen.first / perPart), Math.floor(seen.last / perPart));
  const head = useQuery(partOf(filter, 0));
  const loaded = useQueries({ queries: parts.map(part => partOf(filter, part)) });
  const shown = new Map(parts.map((part, i) => [part, loaded[i]?.data?.data]));
  return {
    total: head.data?.meta.total,
    error: head.error,
    refetch: head.refetch,
    rowAt: (place: number): Location | undefined => shown.get(Math.floor(place / perPart))?.[place % perPart],
    see,
  };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const partOf = (filter: CustomerFilter, part: number) => ({
  queryKey: [api.locations.list.path, 'customers', filter, part] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(api.locations.list, { query: { ...filter, page: part + 1, per_page: perPart }, signal }),
});

/** Reloads the list. */
export function useReloadCustomers() {
  const queries = useQueryClient();
  return () => void queries.resetQueries({ queryKey: [api.locations.list.path, 'customers'] });
}

export const useCustomer = (id: string | undefined) =>
  useQuery({ ...queryOf(api.locations.get, { params: { id: id ?? '' } }), enabled: Boolean(id) });

export const useDevicesOf = (id: string) => {
  const query = { location_id: id, per_page: 1000 };
  return useQuery({ ...queryOf(api.devices.list, { query }), ...everyMinute });
};

/** Makes the customer's location the active one, so that every other screen shows its data. */
export function useSelectTeam() {
  const queries = useQueryClient();
  return useMutation({
    // In sequence, so that the last selection wins.
    scope: { id: 'team' },
    mutationFn: (id: string) => call(api.auth.changeTeam, { params: { id } }),
    onSuccess: ({ data }) => {
      setUser(queries, data);
      closeUndo();
      // The list of customers does not depend on the active location.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== api.locations.list.path });
    },
  });
}

/** Portals without a location, which a new customer can use. */
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
  const send = (body: z.input<typeof licenseForm>) => call(api.locations.license, { params: { id }, body });
  return useChange({ send, refresh: [...refresh, api.devices.list, api.devices.get], done: t('licensed') });
}

const one = <Value extends string>(values: readonly Value[], value: string | undefined) =>
  values.find(each => each === value);

/** The filter and order of the overview in the address, without unknown values. */
export const overviewFilter = (search: ListSearch) => ({
  name: search.name,
  license: one(filters, search.license),
  concern: one(concerns, search.concern),
  sort: one(customerOrders, search.sort),
  order: one(['asc', 'desc'], search.order),
});

export const useOverview = (search: ListSearch) =>
  useList({
    ...queryOf(api.customers.overview, { query: { ...overviewFilter(search), ...pagingOf(search) } }),
    ...everyMinute,
  });

export const loadOverview = (search: ListSearch, per_page: number) =>
  call(api.customers.overview, { query: { ...overviewFilter(search), per_page } });

/** Downloads the whole list as a file. */
export const useDownloadOverview = () =>
  useMutation({
    mutationFn: (search: ListSearch) =>
      download(api.customers.overview, 'customers.csv', { query: { ...overviewFilter(search), download: 'true' } }),
  });

export function useExtendCustomers() {
  const { t } = useTranslation('customers');
  const send = (body: z.input<typeof extendForm>) => call(api.customers.extend, { body });
  return useChange({
    send,
    refresh: [...refresh, api.devices.list, api.devices.get],
    done: ({ data }) => (data.licensed === 1 ? t('licensed') : t('licensedMany', { count: data.licensed })),
  });
}

export function useSuspendCustomer({ id }: Location) {
  const { t } = useTranslation('customers');
  const send = (what: 'suspend' | 'resume') => call(api.customers[what], { params: { id } });
  return useChange({
    send,
    refresh: [...refresh, api.devices.list, api.devices.get],
    done: ({ data }) => t(data.suspended_at ? 'suspend.done' : 'suspend.undone'),
  });
}

export function useTransferCustomer({ id }: Location) {
  const { t } = useTranslation('customers');
  const send = (body: z.input<typeof handOverForm>) => call(api.customers.handOver, { params: { id }, body });
  return useChange({ send, refresh, done: t('handOver.done') });
}

/** The possible new owners. Resellers cannot list them. */
export function useNewOwners(search: string) {
  const enabled = useCan()('tenant-admin');
  const { data } = useList({ ...queryOf(api.tenantUsers.list, { query: { search, per_page: 50 } }), enabled });
  return data?.data.filter(user => user.role !== 'auditor') ?? [];
}
