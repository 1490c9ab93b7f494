import { type Location, type locationForm, locationsApi } from '@portico/contract/locations.ts';
import { portalsApi } from '@portico/contract/portals.ts';
import { profilesApi } from '@portico/contract/profiles.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { meQuery } from '#lib/user.ts';

type Fields = z.input<typeof locationForm>;
type Changes = Partial<Fields>;

export const useLocations = (search: ListSearch) =>
  useList(queryOf(locationsApi.list, { query: { page: pageOf(search), search: search.search } }));

export const useLocation = (id: string) => useQuery(queryOf(locationsApi.get, { params: { id } }));

/** What a location can be given as its welcome portal; empty for those who may not see portals. */
export function usePortalChoices() {
  const enabled = useCan()('view-portals');
  return useQuery({ ...queryOf(portalsApi.list, { query: { per_page: 999 } }), enabled }).data?.data ?? [];
}

export function useProfileChoices(locationId: string) {
  const enabled = useCan()('view-clients');
  const options = queryOf(profilesApi.list, { query: { per_page: 999, location_id: locationId } });
  return useQuery({ ...options, enabled }).data?.data ?? [];
}

/** The user's own list of locations, in the header, changes with them. */
const refresh = [locationsApi.list, locationsApi.get, { path: meQuery.queryKey[0] }];

export function useCreateLocation() {
  const { t } = useTranslation('locations');
  return useChange({ send: (body: Fields) => call(locationsApi.create, { body }), refresh, done: t('created') });
}

export function useUpdateLocation(id: string) {
  const { t } = useTranslation('locations');
  const send = (body: Changes) => call(locationsApi.update, { params: { id }, body });
  return useChange({ send, refresh, done: t('updated') });
}

export function useDeleteLocation() {
  const { t } = useTranslation('locations');
  const send = ({ id }: Pick<Location, 'id'>) => call(locationsApi.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}
