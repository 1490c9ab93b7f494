import type { ImportedSession } from '@portico/contract/imports.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { contains, countRows, pageOf, totalOf } from '#db/list.ts';
import { andLocation, placesOf } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { andGuestIndexed, type Viewer, visitorName } from '#features/sessions/public.ts';
import { visitorsMatching } from '#features/visitors/public.ts';
import type { Rows } from '#http/page.ts';

export interface ImportedFilter {
  readonly search?: string | undefined;
  readonly client_mac?: string | undefined;
  readonly user_ip?: string | undefined;
  /** Without a period: all. */
  readonly period?: { readonly since: string | Sql; readonly until: string | Sql } | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

const guest = { mac: sql`s.client_mac`, ip: sql`s.client_ip` };

/** A search finds so many sessions in a list. */
const searchedRows = 1000;

/** Readers without access to personal data cannot search it, and see no user names. */
function searched({ scope, readsPersonalData }: Viewer, { search, period, order }: ImportedFilter, rows: number): Sql {
  if (!search) return empty;
  if (!readsPersonalData) return sql`and false`;
  return sql`and s.id = any(array(select search_imported_sessions(${contains(search)}, ${visitorsMatching(scope, search)}, ${placesOf(scope)},
    ${period?.since ?? null}::timestamptz, ${period?.until ?? null}::timestamptz, ${order === 'asc'}, ${rows})))`;
}

const found = (viewer: Viewer, filter: ImportedFilter, rows = searchedRows): Sql => sql`
  from imported_sessions s where true ${andLocation(viewer.scope, sql`s.location_id`)}
    ${filter.period ? sql`and s.started_at >= ${filter.period.since}::timestamptz and s.started_at < ${filter.period.until}::timestamptz` : empty}
    ${andGuestIndexed(guest, filter.client_mac, filter.user_ip)} ${searched(viewer, filter, rows)}`;

const byStart = (order: 'asc' | 'desc' = 'desc'): Sql =>
  order === 'asc' ? sql`s.started_at, s.id` : sql`s.started_at desc, s.id desc`;

const userName = ({ readsPersonalData }: Viewer): Sql =>
  readsPersonalData ? sql`s.user_name` : sql`left(s.user_name, 1) || '***'`;

export async function listImportedSessions(
  tx: Tx,
  viewer: Viewer,
  filter: ImportedFilter & { page: number; per_page: number },
): Promise<Rows<ImportedSession>> {
  const order = byStart(filter.order);
  const page = tx.nested<ImportedSession>(sql`
    select s.id, l.id as "location.id", l.name as "location.name", ${userName(viewer)} as user_name, s.visitor_id as "client.id",
      ${visitorName(viewer)} as "client.name", s.client_mac, host(s.client_ip) as client_ip, s.nas, s.started_at, s.ended_at, s.seconds,
      s.upload, s.download, s.terminate_cause
    from (select s.* ${found(viewer, filter)} order by ${order} ${pageOf(filter)}) s
    join locations l on l.id = s.location_id
    left join visitors v on v.id = s.visitor_id
    order by ${order}`);
  const [rows, total] = await Promise.all([
    page,
    totalOf(page, filter, () => countRows(tx, found(viewer, filter), filter)),
  ]);
  return { rows, total };
}

const maxExported = 1_000_000;

/** The rows of the export, for COPY. */
export function importedExport(viewer: Viewer, filter: ImportedFilter, safe: (text: Sql) => Sql): Sql {
  return sql`
    select ${safe(userName(viewer))}, ${safe(visitorName(viewer))}, upper(s.client_mac::text), host(s.client_ip), ${safe(sql`s.nas`)},
      date_trunc('second', s.started_at), date_trunc('second', s.ended_at), s.seconds, s.download, s.upload, ${safe(sql`s.terminate_cause`)}
    from (select s.* ${found(viewer, { ...filter, order: 'desc' }, maxExported)} order by s.started_at desc, s.id desc limit ${maxExported}) s
    left join visitors v on v.id = s.visitor_id
    order by s.started_at desc, s.id desc`;
}
