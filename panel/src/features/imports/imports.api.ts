import type { ImportChoices, ImportRow } from '@portico/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

const refresh = [api.imports.list, api.imports.get];
const pollMs = 2000;

export const useImports = (search: ListSearch) => useList(queryOf(api.imports.list, { query: pagingOf(search) }));

/** One import, fetched again every two seconds while it runs. */
export const useVisitorImport = (id: string) =>
  useQuery({
    ...queryOf(api.imports.get, { params: { id } }),
    refetchInterval: query => (query.state.data?.data.state === 'running' ? pollMs : false),
  });

/** Sends a file. The import changes nothing before the start. */
export const useUpload = () =>
  useChange({
    send: ({ file, locationId }: { file: File; locationId: string | null }) => {
      const body = new FormData();
      if (locationId) body.set('location_id', locationId);
      body.set('file', file);
      return call(api.imports.create, { body });
    },
    refresh,
  });

export const useChoose = (id: string) =>
  useChange({ send: (body: ImportChoices) => call(api.imports.update, { params: { id }, body }), refresh });

export const useStart = (id: string) =>
  useChange({
    send: () => call(api.imports.start, { params: { id } }),
    refresh: [...refresh, api.visitors.list],
  });

export function useDeleteImport() {
  const { t } = useTranslation('imports');
  const send = ({ id }: Pick<ImportRow, 'id'>) => call(api.imports.delete, { params: { id } });
  return useChange({ send, refresh: [api.imports.list], done: t('deleted') });
}

/** The session profiles of a location that are free. */
export function useProfiles(locationId: string) {
  const query = { per_page: 999, location_id: locationId };
  const enabled = useCan()('view-clients');
  const found = useQuery({ ...queryOf(api.profiles.list, { query }), enabled }).data?.data ?? [];
  return found.filter(it => !it.paid_sale.is_active).map(({ id, name }) => ({ value: id, label: name }));
}
