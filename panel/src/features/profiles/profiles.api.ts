import { type Profile, type profileForm, profilesApi } from '@portico/contract/profiles.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

type Fields = z.input<typeof profileForm>;
const refresh = [profilesApi.list];

export const useProfiles = (locationId: string, search: ListSearch) =>
  useList(
    queryOf(profilesApi.list, { query: { location_id: locationId, page: pageOf(search), search: search.search } }),
  );

/** Makes a profile, or changes the one given. */
export function useSaveProfile(profile: Profile | undefined) {
  const { t } = useTranslation('profiles');
  const send = (body: Fields) =>
    profile ? call(profilesApi.update, { params: { id: profile.id }, body }) : call(profilesApi.create, { body });
  return useChange({ send, refresh, done: t(profile ? 'updated' : 'created') });
}

export function useDeleteProfile() {
  const { t } = useTranslation('profiles');
  const send = ({ id }: Profile) => call(profilesApi.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}
