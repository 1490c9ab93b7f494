import type { ImageCollection, PortalForm, PortalRow } from '@portico/contract/portals.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { useChoices } from '#lib/choices.ts';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf, searchOf } from '#lib/search.ts';
import { tenant } from '#lib/tenant.ts';
import { useList } from '#lib/use-list.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

/** The queries that a change of a portal invalidates. */
export const portalQueries = [api.portals.list, api.portals.get, api.portals.draft, api.portals.history];
const refresh = portalQueries;

export const usePortals = (search: ListSearch) =>
  useList(queryOf(api.portals.list, { query: { ...pagingOf(search), ...searchOf(search) } }));

export const usePortal = (id: string) => useQuery(queryOf(api.portals.get, { params: { id } }));

export function useCreatePortal() {
  const { t } = useTranslation('portals');
  const send = (body: PortalForm & { name: string; location_id?: string | null | undefined }) =>
    call(api.portals.create, { body });
  return useChange({ send, refresh, done: t('created') });
}

export function useDuplicatePortal(id: string) {
  const { t } = useTranslation('portals');
  const send = (body: { name: string }) => call(api.portals.duplicate, { params: { id }, body });
  return useChange({ send, refresh, done: t('duplicated') });
}

export function useDeletePortal() {
  const { t } = useTranslation('portals');
  const send = ({ id }: PortalRow) => call(api.portals.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}

/** Session profiles to choose from. A portal of no location can give those of every location that the user sees. */
export function useProfileChoices(locationId: string | null) {
  const seesAll = useCan()('read-profiles') && locationId === null;
  const here = useWorkingLocation();
  const { profiles } = useChoices(seesAll ? null : (locationId ?? here));
  const all = useQuery({ ...queryOf(api.profiles.list, { query: { per_page: 999 } }), enabled: seesAll });
  return all.data?.data ?? profiles;
}

/** The methods available at a location; undefined while they load. Empty means all, or that they could not be loaded. */
export function useAvailableMethods(locationId: string | null): readonly string[] | undefined {
  const location = useQuery({
    ...queryOf(api.locations.get, { params: { id: locationId ?? '' } }),
    enabled: locationId !== null,
  });
  return location.isLoading ? undefined : (location.data?.data.available_providers ?? []);
}

/** The id of a portal that is not saved yet, as in the contract, whose module is loaded on demand. */
export const unsavedPortalId =
  '00000000-0000-0000-0000-000000000000' satisfies typeof import('@portico/contract/portals.ts').unsavedPortalId;

const hourMs = 3_600_000;
/** The preview address of the draft. Its token expires after two hours, so it is refreshed every hour. */
export function useDraftAddress(id: string): string | undefined {
  const query = queryOf(api.portals.preview, { params: { id } });
  const { data } = useQuery({ ...query, staleTime: hourMs, gcTime: hourMs, refetchInterval: hourMs });
  return data && previewAddress(id, data.data.token);
}

/** Uploads a picture and returns its address. */
export function useUploadPicture(id: string, collection: ImageCollection) {
  const send = async (file: File): Promise<string> => {
    const body = new FormData();
    body.set('collection', collection);
    body.set('file', file);
    // A portal that is not saved yet has no pictures of its own.
    const answer =
      id === unsavedPortalId ? call(api.portals.newImage, { body }) : call(api.portals.image, { params: { id }, body });
    return (await answer).data.url;
  };
  return useChange({ send, refresh: [] });
}

/** Uploads a video and returns its address. */
export function useUploadVideo(id: string) {
  const send = async (file: File): Promise<string> => {
    const body = new FormData();
    body.set('file', file);
    const { newVideo, video } = api.portals.ads;
    const answer = id === unsavedPortalId ? call(newVideo, { body }) : call(video, { params: { id }, body });
    return (await answer).data.url;
  };
  return useChange({ send, refresh: [] });
}

/** The address of a portal's preview on the guests' origin. With a token it shows the draft. */
export const previewAddress = (id: string, token?: string): string => {
  const { captive_url, slug } = tenant();
  const query = new URLSearchParams({ tenant: slug, panel: location.origin, ...(token && { token }) });
  return `${captive_url}/preview/${id}?${query}`;
};
