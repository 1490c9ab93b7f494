import type { PortalForm, PortalRow } from '@portico/contract/portals.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { tenant } from '#lib/tenant.ts';
import { useList } from '#lib/use-list.ts';

const refresh = [api.portals.list, api.portals.get];

export const usePortals = (search: ListSearch) =>
  useList(queryOf(api.portals.list, { query: { page: pageOf(search), search: search.search } }));

export const usePortal = (id: string) => useQuery(queryOf(api.portals.get, { params: { id } }));

export function useCreatePortal() {
  const { t } = useTranslation('portals');
  const send = (body: { name: string; location_id?: string | null | undefined }) => call(api.portals.create, { body });
  return useChange({ send, refresh, done: t('created') });
}

export function useUpdatePortal(id: string) {
  const { t } = useTranslation('portals');
  const send = (body: Pick<PortalForm, 'name' | 'color_scheme'>) => call(api.portals.update, { params: { id }, body });
  return useChange({ send, refresh, done: t('updated') });
}

export function useDeletePortal() {
  const { t } = useTranslation('portals');
  const send = ({ id }: PortalRow) => call(api.portals.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}

/** The portal as its guests see it, on the guests' own origin. */
export const previewAddress = (id: string): string => {
  const { captive_url, slug } = tenant();
  return `${captive_url}/preview/${id}?tenant=${encodeURIComponent(slug)}`;
};
