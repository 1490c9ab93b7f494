import type { VisitorOrder } from '@portico/contract/visitor-kinds.ts';
import type { bulkForm, Visitor, VisitorRow, visitorForm, visitorUpdate } from '@portico/contract/visitors.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, listOf, pagingOf, searchOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import type { Sorting } from '#ui/sorting.ts';

type Filter = z.input<typeof api.visitors.list.query>;
const refresh = [api.visitors.list, api.visitors.get];

const filterOf = (search: ListSearch): Pick<Filter, 'search' | 'similar' | 'providers' | 'status'> => ({
  ...searchOf(search),
  providers: listOf(search.providers) as Filter['providers'],
  status: listOf(search.status) as Filter['status'],
});

export const useVisitors = (search: ListSearch, { by, order }: Sorting<VisitorOrder>) =>
  useList(queryOf(api.visitors.list, { query: { ...filterOf(search), sort: by, order, ...pagingOf(search) } }));

export const loadVisitors = (search: ListSearch, { by, order }: Sorting<VisitorOrder>, per_page: number) =>
  call(api.visitors.list, { query: { ...filterOf(search), sort: by, order, per_page } });

/** A visitor with all details. Never cached, because it may contain the password. */
export const useVisitor = (id: string | undefined) =>
  useQuery({
    ...queryOf(api.visitors.get, { params: { id: id ?? '' } }),
    enabled: Boolean(id),
    staleTime: 0,
    gcTime: 0,
  });

export const useProfileChoices = (locationId: string | null) => {
  const query = { per_page: 999, location_id: locationId ?? undefined };
  const enabled = useCan()('view-clients') && locationId !== null;
  return useQuery({ ...queryOf(api.profiles.list, { query }), enabled }).data?.data ?? [];
};

/** Creates a visitor, or updates the given one. */
export function useSaveVisitor(visitor: Visitor | undefined) {
  const { t } = useTranslation('visitors');
  const send = (body: z.input<typeof visitorForm> | z.input<typeof visitorUpdate>) =>
    visitor
      ? call(api.visitors.update, { params: { id: visitor.id }, body: body as z.input<typeof visitorUpdate> })
      : call(api.visitors.create, { body: body as z.input<typeof visitorForm> });
  return useChange({ send, refresh, done: t(visitor ? 'updated' : 'created') });
}

/** Creates visitors in bulk. Only this answer contains all their passwords. */
export function useCreateVisitors() {
  const { t } = useTranslation('visitors');
  const send = (body: z.input<typeof bulkForm>) => call(api.visitors.bulk, { body });
  return useChange({ send, refresh, done: ({ data }) => t('bulk.made', { count: data.length }) });
}

const upload = (file: File, locationId: string | null) => {
  const body = new FormData();
  if (locationId) body.set('location_id', locationId);
  body.set('file', file);
  return body;
};

/** Checks a CSV file without creating visitors. */
export const useImportPreview = () =>
  useMutation({
    mutationFn: ({ file, locationId }: { file: File; locationId: string | null }) =>
      call(api.visitorImport.preview, { body: upload(file, locationId) }),
  });

export function useImport() {
  const { t } = useTranslation('visitors');
  // Without the warnings, which the preview has shown.
  const send = async ({ file, locationId }: { file: File; locationId: string | null }) => {
    const { data } = await call(api.visitorImport.run, { body: upload(file, locationId) });
    return { data };
  };
  return useChange({ send, refresh, done: ({ data }) => t('bulk.made', { count: data.created }) });
}

export const useDownloadTemplate = () =>
  useMutation({ mutationFn: () => download(api.visitorImport.template, 'visitors-template.csv') });

export function useDeleteVisitor() {
  const { t } = useTranslation('visitors');
  const send = ({ id }: VisitorRow) => call(api.visitors.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}

export const useDownloadVisitors = () =>
  useMutation({
    mutationFn: (search: ListSearch) =>
      download(api.visitors.export, 'user-list.csv', { query: filterOf(search), body: filterOf(search) }),
  });
