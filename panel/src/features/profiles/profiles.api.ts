import type { Profile, profileForm } from '@portico/contract/profiles.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

type Fields = z.input<typeof profileForm>;
const refresh = [api.profiles.list, api.locations.get];

/** The other profiles of the location, which may take a profile's place. */
export const useOtherProfiles = ({ id, location_id }: Profile) =>
  useQuery(queryOf(api.profiles.list, { query: { location_id, per_page: 999 } })).data?.data.filter(
    other => other.id !== id,
  );

export const useProfiles = (locationId: string, search: ListSearch) =>
  useList(
    queryOf(api.profiles.list, { query: { location_id: locationId, page: pageOf(search), search: search.search } }),
  );

/** Makes a profile, or changes the one given. */
export function useSaveProfile(profile: Profile | undefined) {
  const { t } = useTranslation('profiles');
  const send = (body: Fields) =>
    profile ? call(api.profiles.update, { params: { id: profile.id }, body }) : call(api.profiles.create, { body });
  return useChange({ send, refresh, done: t(profile ? 'updated' : 'created') });
}

export function useDeleteProfile() {
  const { t } = useTranslation('profiles');
  const send = ({ id, replacement_id }: Pick<Profile, 'id'> & { replacement_id?: string | undefined }) =>
    call(api.profiles.delete, { params: { id }, query: { replacement_id } });
  return useChange({ send, refresh, done: t('deleted') });
}
