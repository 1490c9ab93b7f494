import type { locationOrders } from '@portico/contract/list-orders.ts';
import type { Location, locationForm } from '@portico/contract/locations.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf, searchOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { meQuery } from '#lib/user.ts';
import { pageForm } from '#ui/header-save.tsx';
import type { Sorting } from '#ui/sorting.ts';

type Fields = z.input<typeof locationForm>;
type Changes = Partial<Fields>;

type Ordering = Pick<Sorting<(typeof locationOrders)[number]>, 'by' | 'order'>;

export const useLocations = (search: ListSearch, { by, order }: Ordering) =>
  useList(queryOf(api.locations.list, { query: { ...pagingOf(search), ...searchOf(search), sort: by, order } }));

export const useLocation = (id: string) => useQuery(queryOf(api.locations.get, { params: { id } }));

/** The contents that would be deleted with the location. */
export const useLocationContents = (id: string) =>
  useQuery({ ...queryOf(api.locations.contents, { params: { id } }), staleTime: 0 });

/** The possible welcome portals of a new location: those of no location. */
export function useSharedPortals() {
  const enabled = useCan()('view-portals');
  const { data } = useQuery({ ...queryOf(api.portals.list, { query: { per_page: 999 } }), enabled });
  return data?.data.filter(portal => portal.location_id === null) ?? [];
}

/** The user's own list of locations in the header changes too. */
const refresh = [api.locations.list, api.locations.get, { path: meQuery.queryKey[0] }];

export function useCreateLocation() {
  const { t } = useTranslation('locations');
  return useChange({ send: (body: Fields) => call(api.locations.create, { body }), refresh, done: t('created') });
}

export function useUpdateLocation(id: string) {
  const { t } = useTranslation('locations');
  const send = (body: Changes) => call(api.locations.update, { params: { id }, body });
  return useChange({ send, refresh, done: t('updated'), key: pageForm });
}

export function useUpdateSessionSettings(id: string) {
  const { t } = useTranslation('locations');
  const send = (body: Changes) => call(api.locations.update, { params: { id }, body });
  return useChange({ send, refresh, done: t('session.updated'), key: pageForm });
}

export function useDeleteLocation() {
  const { t } = useTranslation('locations');
  const send = ({ id }: Pick<Location, 'id'>) => call(api.locations.delete, { params: { id } });
  // Not the location itself, which the screen behind the dialog may still show.
  const lists = refresh.filter(it => it !== api.locations.get);
  return useChange({ send, refresh: lists, done: t('deleted') });
}
