import { isIPv4, isIPv6 } from 'node:net';
import type { MacSession, OnlineSession, SessionRow } from '@portico/contract/sessions.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, contains, countRows, pageOf, totalOf } from '#db/list.ts';
import { inLocalPeriod } from '#db/local-period.ts';
import { andDevice, andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { spelledLike, visitorsMatching } from '#features/visitors/public.ts';
import type { Rows } from '#http/page.ts';
import { hasIpv6Like, hasPart, holding, ipv6Of } from './addresses.queries.ts';
import { archivedRows } from './archive/archive.queries.ts';
import type { ArchivedSession } from './archive/archive-store.ts';
import { isEndable } from './endable.queries.ts';
import { isReported } from './reported.queries.ts';
import { anyOf, ofId, ofMacs, termsOf } from './search.queries.ts';
import { latestCommand } from './session-commands.queries.ts';

/** The reader of a list: the visible locations and devices, and whether names and phones are shown in full. */
export interface Viewer {
  readonly scope: Scope;
  readonly readsPersonalData: boolean;
}

interface Paging {
  readonly page: number;
  readonly per_page: number;
}

type Order = 'asc' | 'desc';
/** By the start. Each order reads the same index, in one direction or the other. */
const byStart = (order: Order = 'desc'): Sql =>
  order === 'asc' ? sql`s.started_at, s.id` : sql`s.started_at desc, s.id desc`;

const within = (scope: Scope, table: string, deviceIds?: readonly string[]): Sql => {
  const at = (column: string) => sql([`${table}.${column}`]);
  return sql`${andDevice(scope, at('location_id'), at('device_id'))}
    ${deviceIds ? sql`and ${at('device_id')} = any(${deviceIds})` : empty}`;
};

// Keeps letters that are not hexadecimal, so that a filter with them finds nothing.
const digits = (mac: string): string => mac.replace(/[^0-9A-Z]/gi, '').toLowerCase();

interface GuestColumns {
  readonly mac: Sql;
  readonly ip: Sql;
  /** The id of the session, which may have IPv6 addresses. */
  readonly session?: Sql;
}

/** A condition for any part of a MAC and an IP address. */
export function andGuest(column: GuestColumns, mac: string | undefined, ip: string | undefined): Sql {
  const part = mac && digits(mac);
  const long = ip?.includes(':') && column.session;
  return sql`
    ${part ? sql`and replace(${column.mac}::text, ':', '') like ${contains(part)}` : empty}
    ${ip ? (long ? sql`and ${hasIpv6Like(long, ip)}` : sql`and host(${column.ip}) like ${contains(ip)}`) : empty}`;
}

/** Like andGuest, but matches a complete MAC or IP address exactly, by index. */
export function andGuestIndexed(column: GuestColumns, mac: string | undefined, ip: string | undefined): Sql {
  const wholeMac = mac && /^[0-9a-f]{12}$/.test(digits(mac));
  const wholeIp = ip && isIPv4(ip);
  if (ip && isIPv6(ip) && column.session)
    return sql`and ${column.session} = any(array(select a.session_id from session_addresses a where ${holding(ip)}))
      ${andGuestIndexed(column, mac, undefined)}`;
  return sql`
    ${wholeMac ? sql`and ${column.mac} = ${mac}::macaddr` : empty} ${wholeIp ? sql`and ${column.ip} = ${ip}::inet` : empty}
    ${andGuest(column, wholeMac ? undefined : mac, wholeIp ? undefined : ip)}`;
}
const guest = { mac: sql`s.client_mac`, ip: sql`s.client_ip`, session: sql`s.id` };

/** A name, or its initials for readers without access to personal data. */
export const nameFor = (viewer: Viewer): Sql =>
  viewer.readsPersonalData ? sql`v.name` : sql`regexp_replace(v.name, '(\\S)\\S*', '\\1***', 'g')`;
const phoneFor = (viewer: Viewer): Sql => (viewer.readsPersonalData ? sql`v.phone` : sql`'***' || right(v.phone, 2)`);
/** The visitor of a session; only the id if the visitor was deleted. */
const clientOf = (viewer: Viewer, table: 's' | 'g'): Sql => sql`
  ${sql([table])}.visitor_id as "client.id", coalesce(${nameFor(viewer)}, '') as "client.name",
  coalesce(v.provider_type, '') as "client.provider_type"`;
const roomFor = (viewer: Viewer): Sql => (viewer.readsPersonalData ? sql`v.room_number` : sql`null`);

/**
 * `and` + the condition that a session has the searched text: as the beginning of its MAC address, as its Acct-Session-Id, or as
 * a text of its visitor. Users who cannot read personal data cannot search it either.
 */
const andFound = (viewer: Viewer, search: string | undefined, named: (search: string) => Sql): Sql => {
  if (!search) return empty;
  const terms = termsOf(search);
  return sql`and ${anyOf([viewer.readsPersonalData ? named(search) : undefined, ofMacs(terms), ofId(terms)])}`;
};

export interface OnlineFilter extends Paging {
  readonly search?: string | undefined;
  readonly similar?: boolean | undefined;
  readonly mac?: string | undefined;
  readonly ip?: string | undefined;
  readonly deviceIds?: readonly string[] | undefined;
  readonly order?: Order | undefined;
}

export async function listOnline(tx: Tx, viewer: Viewer, filter: OnlineFilter): Promise<Rows<OnlineSession>> {
  const exact = await pageOnline(tx, viewer, filter);
  const { search, similar } = filter;
  if (exact.total > 0 || !search || !similar || !viewer.readsPersonalData) return exact;
  const ids = await spelledLike(tx, viewer.scope, search);
  return ids.length > 0 ? pageOnline(tx, viewer, filter, ids) : exact;
}

/** With `visitors`, the open sessions of these instead of those that the search finds. */
async function pageOnline(
  tx: Tx,
  viewer: Viewer,
  filter: OnlineFilter,
  visitors?: readonly string[],
): Promise<Rows<OnlineSession>> {
  // The dashboard counts by the same rule. A job closes stale sessions a little later.
  const found = sql`from online_sessions s
    where s.updated_at > now() - 3 * s.interim * interval '1 second'
    ${within(viewer.scope, 's', filter.deviceIds)} ${andGuest(guest, filter.mac, filter.ip)}
    ${
      visitors
        ? sql`and s.visitor_id = any(${visitors})`
        : andFound(
            viewer,
            filter.search,
            search => sql`exists (
        select from visitors v where v.id = s.visitor_id and v.search_text like fold_text(${contains(search)}))`,
          )
    }`;
  const page = tx.nested<OnlineSession>(sql`
      select s.id as rhid, ${nameFor(viewer)} as name,
        ${clientOf(viewer, 's')},
        ${roomFor(viewer)} as "client.room_number",
        s.device_id as "device.id", coalesce(d.name, '') as "device.name", coalesce(d.name, '') as device_name,
        n.name as network, s.client_mac, host(s.client_ip) as client_ip, ${ipv6Of(sql`s.id`)} as ipv6, s.started_at as session_start_time,
        s.upload, s.download, ${isReported} as figures_reported, s.updated_at, ${latestCommand(sql`s.id`)} as kick, ${isEndable} as endable
      from (select s.* ${found} order by ${byStart(filter.order)} ${pageOf(filter)}) s
      left join visitors v on v.id = s.visitor_id
      left join devices d on d.id = s.device_id
      left join networks n on n.id = s.network_id
      order by ${byStart(filter.order)}`);
  const [rows, total] = await Promise.all([page, totalOf(page, filter, () => countRows(tx, found, filter))]);
  return { rows, total };
}

export interface HistoryFilter {
  readonly search?: string | undefined;
  readonly client_mac?: string | undefined;
  readonly user_ip?: string | undefined;
  readonly deviceIds?: readonly string[] | undefined;
  /** Set if the locations have several time zones: each session then counts by the clocks of its location. */
  readonly zone?: string | undefined;
  /** Sessions that began at `since` or later and before `until`. */
  readonly since: string | Sql;
  readonly until: string | Sql;
  readonly order?: Order | undefined;
}

/** Whether locations of the scope have another time zone than this one. */
export const hasOtherZones = async (tx: Tx, scope: Scope, zone: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from locations l where l.time_zone <> ${zone} ${andLocation(scope, sql`l.id`)} limit 1`,
  )) !== undefined;

const inPeriod = ({ zone, since, until }: HistoryFilter): Sql =>
  zone
    ? inLocalPeriod(sql`s.started_at`, sql`s.location_id`, { since, until, zone })
    : sql`s.started_at >= ${since}::timestamptz and s.started_at < ${until}::timestamptz`;

const historyWhere = (viewer: Viewer, filter: HistoryFilter): Sql => sql`
  ${inPeriod(filter)}
  ${within(viewer.scope, 's', filter.deviceIds)} ${andGuestIndexed(guest, filter.client_mac, filter.user_ip)}
  ${andFound(viewer, filter.search, search => sql`s.visitor_id = any(${visitorsMatching(viewer.scope, search)})`)}`;

/** The first `limit` sessions of an order, open and closed, that satisfy a condition on `s`, and those that the archive found. */
const first = (where: Sql, order: Sql, limit: Sql, archived?: readonly ArchivedSession[]): Sql => sql`
  (select s.id, s.visitor_id, s.device_id, s.client_mac, s.client_ip, s.started_at, null::timestamptz as ended_at, s.upload, s.download,
     ${isReported} as figures_reported, null::text as close_reason
   from online_sessions s where ${where} order by ${order} limit ${limit})
  union all
  (select s.id, s.visitor_id, s.device_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported}, s.close_reason
   from session_history s where ${where} order by ${order} limit ${limit})
  ${
    archived?.length
      ? sql`union all
  select s.id, s.visitor_id, s.device_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported}, s.close_reason
  from ${archivedRows(archived)}`
      : empty
  }`;

/** The archived sessions among which a page of the history lies. */
export interface ArchivedPage {
  readonly rows: readonly ArchivedSession[];
  /** Sessions of the archive that come before `rows` and before the page. */
  readonly skipped: number;
  readonly total: number;
}

/** How many sessions here satisfy the filter, at most `most`: all of them, and those that began before a time. */
export const countHere = (tx: Tx, viewer: Viewer, filter: HistoryFilter, it: { before: number; most: number }) => {
  const where = historyWhere(viewer, filter);
  const early = sql`s.started_at < to_timestamp(${it.before / 1_000_000}::float8)`;
  const counted = (more: Sql) => sql`(select count(*)::int from (
    select 1 from online_sessions s where ${where} ${more} union all select 1 from session_history s where ${where} ${more} limit ${it.most}) c)`;
  return tx.one<{ all: number; early: number }>(
    sql`select ${counted(empty)} as all, ${counted(sql`and ${early}`)} as early`,
  );
};

/** The ids of visitors of a search, and of sessions with an IPv6 address: the archive has neither names nor these addresses. */
export async function resolveFilter(tx: Tx, viewer: Viewer, filter: HistoryFilter) {
  const { search, user_ip: ip } = filter;
  const visitors = search
    ? viewer.readsPersonalData
      ? (await tx.one<{ ids: string[] }>(sql`select ${visitorsMatching(viewer.scope, search)} as ids`)).ids
      : []
    : undefined;
  const sessions = ip?.includes(':')
    ? (
        await tx.many<{ id: string }>(sql`
          select distinct a.session_id as id from session_addresses a
          where ${isIPv6(ip) ? holding(ip) : sql`family(a.network) = 6 and ${hasPart(ip)}`}
            and a.last_at >= ${filter.since}::timestamptz - interval '27 hours' limit ${maxAddressed + 1}`)
      ).map(({ id }) => id)
    : undefined;
  return { found: search && visitors ? { visitors, ...termsOf(search) } : undefined, sessions };
}

/** More sessions than this are not looked up by a part of an IPv6 address. */
export const maxAddressed = 20_000;

export async function listHistory(
  tx: Tx,
  viewer: Viewer,
  filter: HistoryFilter & Paging,
  archived?: ArchivedPage,
): Promise<Rows<SessionRow>> {
  const where = historyWhere(viewer, filter);
  const found = sql`from (select 1 from online_sessions s where ${where} union all select 1 from session_history s where ${where}) s`;
  const order = byStart(filter.order);
  tx.useGenericPlans();
  const page = tx.nested<SessionRow>(sql`
      select s.id, ${clientOf(viewer, 's')},
        ${roomFor(viewer)} as "client.room_number", ${phoneFor(viewer)} as "client.phone",
        s.client_mac, host(s.client_ip) as client_ip, ${ipv6Of(sql`s.id`)} as ipv6, s.device_id, d.id as "device.id", d.name as "device.name",
        s.started_at, s.ended_at, s.upload, s.download, s.figures_reported, s.close_reason
      from (select * from (${first(where, order, bound(filter.page * filter.per_page), archived?.rows)}) s order by ${order}
        ${archived ? sql`limit ${bound(filter.per_page)} offset ${(filter.page - 1) * filter.per_page - archived.skipped}` : pageOf(filter)}) s
      left join visitors v on v.id = s.visitor_id
      left join devices d on d.id = s.device_id
      order by ${order}`);
  const count = async () => {
    tx.useGenericPlans();
    return (await countRows(tx, found, filter)) + (archived?.total ?? 0);
  };
  const [rows, total] = await Promise.all([page, totalOf(page, filter, count)]);
  return { rows, total };
}

/** Prefixes texts that a spreadsheet would treat as a formula (= + - @ or white space). */
export const safeForSpreadsheets = (text: Sql): Sql =>
  sql`case when ascii(${text}) in (61, 43, 45, 64, 9, 13) then '''' || ${text} else ${text} end`;
/** Decimal megabytes with two decimal places. */
const megabytes = (bytes: Sql): Sql => sql`round(${bytes}::float8 / 10000) / 100`;

/** The rows of an export at most (document 2, section 9). */
export const maxExported = 1_000_000;

/** The query of the export, for COPY, so every expression must be cheap. Use that was not reported is empty. */
export function historyExport(viewer: Viewer, filter: HistoryFilter): Sql {
  const where = historyWhere(viewer, filter);
  return exported(
    viewer,
    filter,
    sql`
      select s.id, s.visitor_id, s.client_mac, s.client_ip, s.started_at, null::timestamptz as ended_at, s.upload, s.download, ${isReported} as is_reported
      from online_sessions s where ${where}
      union all
      (select s.id, s.visitor_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported}
       from session_history s where ${where} order by s.started_at desc, s.id desc)
      limit ${maxExported}`,
  );
}

/** The same for sessions that the archive found, in their order. */
export const archivedExport = (viewer: Viewer, filter: HistoryFilter, archived: readonly ArchivedSession[]): Sql => sql`
  ${exported(
    viewer,
    filter,
    sql`
      select s.id, s.visitor_id, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.upload, s.download, ${isReported} as is_reported
      from ${archivedRows(archived)}`,
  )} order by s.started_at desc, s.id desc`;

function exported(viewer: Viewer, filter: HistoryFilter, sessions: Sql): Sql {
  return sql`
    select ${safeForSpreadsheets(nameFor(viewer))}, ${safeForSpreadsheets(phoneFor(viewer))}, upper(s.client_mac::text), case when a.ipv6 is null then host(s.client_ip) else concat_ws(' ', host(s.client_ip), a.ipv6) end,
      date_trunc('second', s.started_at), date_trunc('second', s.ended_at), case when s.is_reported then ${megabytes(sql`s.download`)} end, case when s.is_reported then ${megabytes(sql`s.upload`)} end
    from (${sessions}) s
    left join (
      select a.session_id, string_agg(case when masklen(a.network) = 128 then host(a.network) else text(a.network) end, ' '
        order by a.first_at, a.network) as ipv6
      from session_addresses a where family(a.network) = 6 and a.last_at >= ${filter.since}::timestamptz - interval '1 day'
      group by a.session_id) a on a.session_id = s.id
    left join visitors v on v.id = s.visitor_id`;
}

/**
 * A condition for guest devices that are not blocked by their last device or location. A rule of another device in the
 * location also counts until the guest device begins a new session: the operator may have seen it there.
 */
const notBlocked = sql`not exists (
    select from mac_rules m join devices d on d.id = m.device_id
    where m.type = 'blocked' and m.mac = g.client_mac and d.location_id = g.location_id
      and (m.device_id = g.device_id or m.created_at > g.session_started_at))
  and not exists (
    select from locations l where l.id = g.location_id and l.mac_blacklist_enabled and g.client_mac = any(l.mac_blacklist))`;

type MacFilter = Paging & { readonly client_mac?: string | undefined; readonly order?: Order | undefined };

function macParts(viewer: Viewer, filter: MacFilter) {
  const found = sql`from guest_devices g where g.sessions > 1 ${within(viewer.scope, 'g')}
    ${andGuestIndexed({ mac: sql`g.client_mac`, ip: empty }, filter.client_mac, undefined)}`;
  const often = filter.order === 'asc' ? sql`g.sessions, g.client_mac desc` : sql`g.sessions desc, g.client_mac`;
  // A deleted device cannot block guest devices.
  const shown = sql`${found} and exists (select from devices d where d.id = g.device_id) and ${notBlocked}`;
  return { found, often, shown };
}

/** The latest sessions of the guest devices of a page, and when they began. */
export function listLatestOf(tx: Tx, viewer: Viewer, filter: MacFilter) {
  const { often, shown } = macParts(viewer, filter);
  return tx.many<{ id: string; at: number }>(sql`
    select g.session_id as id, (extract(epoch from g.session_started_at) * 1000000)::bigint as at
    from (select g.* ${shown} order by ${often} ${pageOf(filter)}) g`);
}

export async function listByMac(
  tx: Tx,
  viewer: Viewer,
  filter: MacFilter,
  archived: readonly ArchivedSession[] = [],
): Promise<Rows<MacSession>> {
  const { found, often, shown } = macParts(viewer, filter);
  // A page checks its few rows one by one. The count checks all, so it reads the rules and devices once. `is true` prevents
  // a join, which doubled the time.
  const counted = sql`${found} and (g.device_id in (select d.id from devices d)) is true and (g.client_mac not in (
    select m.mac from mac_rules m where m.type = 'blocked'
    union all select x.mac from locations l, unnest(l.mac_blacklist) x(mac) where l.mac_blacklist_enabled)
    or (${notBlocked}))`;
  const page = tx.nested<MacSession>(sql`
      select g.client_mac, g.device_id, g.sessions as total,
        ${clientOf(viewer, 'g')},
        ${
          viewer.readsPersonalData
            ? sql`case v.provider_type when 'room-number' then v.room_number when 'sms' then v.phone when 'email' then v.email else v.username end`
            : sql`null`
        } as "client.provider_id",
        g.session_started_at as "accounting.acctstarttime", s.ended_at as "accounting.acctstoptime",
        coalesce(s.upload, 0) as "accounting.acctinputoctets", coalesce(s.download, 0) as "accounting.acctoutputoctets",
        host(s.client_ip) as "accounting.framedipaddress", coalesce(s.figures_reported, true) as figures_reported
      from (select g.* ${shown} order by ${often} ${pageOf(filter)}) g
      left join visitors v on v.id = g.visitor_id
      left join lateral (
        select null::timestamptz as ended_at, s.upload, s.download, s.client_ip, ${isReported} as figures_reported
        from online_sessions s where s.id = g.session_id
        union all
        select s.ended_at, s.upload, s.download, s.client_ip, ${isReported} from session_history s
        where s.id = g.session_id and s.started_at = g.session_started_at
        ${
          archived.length > 0
            ? sql`union all
        select s.ended_at, s.upload, s.download, s.client_ip, ${isReported} from ${archivedRows(archived)}
        where s.id = g.session_id and s.started_at = g.session_started_at`
            : empty
        }) s on true
      order by ${often}`);
  const [rows, total] = await Promise.all([page, totalOf(page, filter, () => countRows(tx, counted, filter))]);
  return { rows, total };
}
