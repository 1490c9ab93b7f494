import { sessionFile } from '@portico/contract/import-kinds.ts';
import type { ImportChoices, ImportRow, VisitorImport } from '@portico/contract/imports.ts';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readPeriod } from '#features/sessions/public.ts';
import { api } from '#lib/api.ts';
import { ApiError, call, download, queryOf } from '#lib/client.ts';
import { useLocalNow } from '#lib/local-now.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import type { Sorting } from '#ui/sorting.ts';

const refresh = [api.imports.list, api.imports.get];
const pollMs = 2000;

export const useImports = (search: ListSearch) => useList(queryOf(api.imports.list, { query: pagingOf(search) }));

/** One import, fetched again every two seconds while it is read or runs. Who sends its file keeps it up to date. */
export const useVisitorImport = (id: string) =>
  useQuery({
    ...queryOf(api.imports.get, { params: { id } }),
    refetchInterval: query => (['reading', 'running'].includes(query.state.data?.data.state ?? '') ? pollMs : false),
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

/** Announces a file of past sessions, which `useSendFile` sends. */
export const useAnnounce = () =>
  useChange({
    send: ({ file, locationId }: { file: File; locationId: string | null }) =>
      call(api.imports.createSessions, {
        body: { location_id: locationId, file_name: file.name.slice(0, 200), bytes: file.size },
      }),
    refresh: [api.imports.list],
  });

interface Sent {
  id: string;
  file: File;
}
const sending = 'session-file';

/** Whether this tab sends the file of an import, from whichever screen. */
export const useIsSending = (id: string): boolean =>
  useIsMutating({
    mutationKey: [sending],
    predicate: ({ state }) => (state.variables as Sent | undefined)?.id === id,
  }) > 0;

/** Sends a file of past sessions in parts, from the byte on that the server has not received. It goes on when the screen is left. */
export function useSendFile() {
  const queries = useQueryClient();
  return useChange({
    key: sending,
    send: async ({ id, file }: Sent) => {
      const { queryKey } = queryOf(api.imports.get, { params: { id } });
      try {
        let it = await call(api.imports.get, { params: { id } });
        while (it.data.state === 'uploading') {
          queries.setQueryData(queryKey, it);
          const at = it.data.sessions?.received ?? 0;
          const body = new FormData();
          body.set('starts_at', String(at));
          body.set('file', file.slice(at, at + sessionFile.partBytes), file.name);
          it = await call(api.imports.addPart, { params: { id }, body });
        }
      } catch (error) {
        // The part may have arrived although its answer did not.
        void queries.invalidateQueries({ queryKey });
        // The user has stopped the import.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    refresh,
  });
}

/** Whether a file is the one that an import has announced. */
export const isFileOf = (it: VisitorImport, file: File): boolean =>
  file.size === it.sessions?.bytes && file.name.slice(0, 200).trim() === it.file_name;

const importedFilter = (search: ListSearch, now: Date) => {
  const days = search.period ? readPeriod(search.period, undefined, now).days : undefined;
  return {
    search: search.search,
    client_mac: search.mac,
    user_ip: search.ip,
    session_date: days && [`${days[0]} 00:00:00`, `${days[1]} 23:59:59`],
  };
};

export function useImportedSessions(search: ListSearch, { order }: Sorting) {
  const query = { order, ...importedFilter(search, useLocalNow()()), ...pagingOf(search) };
  return useList(queryOf(api.imports.sessions, { query }));
}

/** Downloads all imported sessions that match the filters as CSV. */
export function useDownloadImported() {
  const now = useLocalNow();
  return useMutation({
    mutationFn: (search: ListSearch) =>
      download(api.imports.sessions, 'imported-sessions.csv', {
        query: { ...importedFilter(search, now()), download: true },
      }),
  });
}

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
