import type { VisitorAttempt, VisitorDevice, VisitorSession } from '@portico/contract/visitor-page.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, countRows, pageOf } from '#db/list.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import { ipv6Of } from './addresses.queries.ts';
import { archivedRows } from './archive/archive.queries.ts';
import type { ArchivedDevice, ArchivedSession } from './archive/archive-store.ts';
import { isKnown } from './failed-logins.queries.ts';
import { isReported } from './reported.queries.ts';
import { latestCommand } from './session-commands.queries.ts';

interface Paging {
  readonly page: number;
  readonly per_page: number;
}

const within = (scope: Scope, table: string): Sql =>
  andDevice(scope, sql([`${table}.location_id`]), sql([`${table}.device_id`]));

const deviceJson = sql`case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end as device`;

/** Open and closed sessions of a visitor, and those that the archive found. */
const both = (visitorId: string, scope: Scope, archived: readonly ArchivedSession[] = []): Sql => sql`
  (select s.id, s.device_id, s.client_mac, s.client_ip, s.started_at, null::timestamptz as ended_at, s.upload, s.download, ${isReported} as figures_reported, null::text as close_reason
   from online_sessions s where s.visitor_id = ${visitorId} ${within(scope, 's')}
   union all
   select s.id, s.device_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported}, s.close_reason
   from session_history s where s.visitor_id = ${visitorId} ${within(scope, 's')}
   ${
     archived.length > 0
       ? sql`union all
   select s.id, s.device_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported}, s.close_reason
   from ${archivedRows(archived)}`
       : empty
   }) s`;

/** How many sessions of a visitor are here. */
export const countSessionsOf = async (tx: Tx, scope: Scope, visitorId: string): Promise<number> =>
  (await tx.one<{ n: number }>(sql`select count(*)::int as n from ${both(visitorId, scope)}`)).n;

/** The sessions of a visitor, newest first, each with its latest command. */
export async function listSessionsOf(
  tx: Tx,
  scope: Scope,
  visitorId: string,
  at: Paging,
  archived: { readonly rows: readonly ArchivedSession[]; readonly skipped: number; readonly total: number } = {
    rows: [],
    skipped: 0,
    total: 0,
  },
): Promise<Rows<VisitorSession>> {
  const page = sql`limit ${bound(at.per_page)} offset ${bound((at.page - 1) * at.per_page - archived.skipped)}`;
  const [rows, total] = await Promise.all([
    tx.many<VisitorSession>(sql`
      select s.id, s.client_mac, host(s.client_ip) as client_ip, ${ipv6Of(sql`s.id`)} as ipv6, s.device_id, ${deviceJson}, s.started_at, s.ended_at, s.upload, s.download,
        s.figures_reported, s.close_reason, b.seconds as seconds_left, b.bytes as bytes_left,
        case when s.ended_at is null then ${latestCommand(sql`s.id`)} end as kick
      from (select s.* from ${both(visitorId, scope, archived.rows)} order by s.started_at desc, s.id desc ${page}) s
      left join devices d on d.id = s.device_id
      left join online_sessions o on o.id = s.id
      left join visitors v on v.id = o.visitor_id
      left join locations l on l.id = o.location_id
      left join networks n on n.id = o.network_id
      left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      left join lateral session_balance(o, v, p, l) b on o.id is not null
      order by s.started_at desc, s.id desc`),
    countRows(tx, sql`from ${both(visitorId, scope)}`, at),
  ]);
  return { rows, total: total + archived.total };
}

/** The guest devices of a visitor, most recently used first. */
export async function listDevicesOf(
  tx: Tx,
  scope: Scope,
  visitorId: string,
  at: Paging,
  archived: readonly ArchivedDevice[] = [],
): Promise<Rows<VisitorDevice>> {
  const found = sql`from (
    select s.client_mac, 1::bigint as sessions, s.upload, s.download, s.figures_reported, s.started_at as first_at, s.started_at as last_at, s.device_id
    from ${both(visitorId, scope)} where s.client_mac is not null
    ${
      archived.length > 0
        ? sql`union all
    select x.client_mac, x.sessions, x.upload, x.download, x.figures_reported, x.first_at, x.last_at, x.device_id
    from json_to_recordset(${JSON.stringify(archived)}::json) as x(client_mac macaddr, sessions bigint, upload bigint, download bigint,
      figures_reported boolean, first_at timestamptz, last_at timestamptz, device_id uuid)`
        : empty
    }) s`;
  const [rows, total] = await Promise.all([
    tx.many<VisitorDevice>(sql`
      select s.client_mac, s.sessions, s.upload, s.download, s.figures_reported, s.first_at, s.last_at, ${deviceJson}
      from (
        select s.client_mac, sum(s.sessions)::bigint as sessions, exact_sum(sum(s.upload)) as upload, exact_sum(sum(s.download)) as download, bool_or(s.figures_reported) as figures_reported,
          min(s.first_at) as first_at, max(s.last_at) as last_at, (array_agg(s.device_id order by s.last_at desc))[1] as device_id
        ${found} group by s.client_mac order by max(s.last_at) desc, s.client_mac ${pageOf(at)}) s
      left join devices d on d.id = s.device_id
      order by s.last_at desc, s.client_mac`),
    countRows(tx, sql`from (select 1 ${found} group by s.client_mac) g`, at),
  ]);
  return { rows, total };
}

export type StoredAttempt = Omit<VisitorAttempt, 'params'> & { params: string | null };

/** Failed sign-ins with a visitor's name or from their devices at their location. `params` is encrypted. */
export async function listAttemptsOf(
  tx: Tx,
  scope: Scope,
  visitor: { id: string; location_id: string },
  at: Paging,
  archivedMacs: readonly string[] = [],
): Promise<Rows<StoredAttempt>> {
  const found = sql`from failed_logins f where f.location_id = ${visitor.location_id} ${within(scope, 'f')} and f.id in (
    select x.id from failed_logins x where x.visitor_id = ${visitor.id}
    union
    select x.id from failed_logins x
    where x.visitor_id is null and x.client_mac in (
      select s.client_mac from ${both(visitor.id, scope)}
      ${archivedMacs.length > 0 ? sql`union all select m::macaddr from unnest(${archivedMacs}::text[]) m` : empty}))`;
  const [rows, total] = await Promise.all([
    tx.many<StoredAttempt>(sql`
      select f.client_mac, host(f.client_ip) as client_ip, f.provider_slug, f.params, f.reason, f.created_at,
        ${isKnown(sql`f`)} as is_known, ${deviceJson}
      from (select f.* ${found} order by f.created_at desc, f.id desc ${pageOf(at)}) f
      left join devices d on d.id = f.device_id
      order by f.created_at desc, f.id desc`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}
