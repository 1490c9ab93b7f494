import type { AuditEntry } from '@portico/contract/audit.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { download, queryOf } from '#lib/client.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

/** Maps the filters of the address to the query; `days` is `2026-11-01_2026-11-20`. */
function filters(search: ListSearch) {
  const [start_at, end_at] = search.days?.split('_') ?? [];
  return {
    start_at,
    end_at,
    verb: search.verb as AuditEntry['verb'] | undefined,
    subject_type: search.kind,
    location_id: search.location,
    search: search.search,
  };
}

export const useAudit = (search: ListSearch) =>
  useList(queryOf(api.audit.list, { query: { ...filters(search), ...pagingOf(search, 50) } }));

export const useDownloadAudit = () =>
  useMutation({
    mutationFn: (search: ListSearch) =>
      download(api.audit.list, 'audit-log.csv', { query: { ...filters(search), download: 'true' } }),
  });
