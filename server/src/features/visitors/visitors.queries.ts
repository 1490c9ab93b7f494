import { providerSlugs } from '@portico/contract/locations.ts';
import {
  type LocationService,
  type VisitorOrder,
  type VisitorStatus,
  visitorStates,
} from '@portico/contract/visitor-kinds.ts';
import type { ListedVisitor, Visitor, VisitorRow } from '@portico/contract/visitors.ts';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { contains, countRows, nameOrder, pageOf } from '#db/list.ts';
import { localTime } from '#db/local-time.ts';
import { misspellings } from '#db/misspelled.ts';
import { phonePatterns } from '#db/phone-patterns.ts';
import { andLocation, assignments, placesOf, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** A row of the table; `citizen_id`, `birth_date` and `password` are encrypted. */
export interface StoredRow extends Omit<VisitorRow, 'provider_id'> {
  citizen_id: string | null;
}
export interface StoredVisitor
  extends Omit<StoredRow, 'location'>,
    Pick<
      Visitor,
      | 'location'
      | 'shared_user'
      | 'session_duration'
      | 'max_upload'
      | 'max_download'
      | 'total_paid_day'
      | 'charges_room'
      | 'paid_end_at'
      | 'balance'
    > {
  birth_date: string | null;
  password: string | null;
}

const rowColumns = sql`
  v.id, v.name, v.provider_type, v.citizen_id, v.username, v.room_number, v.email, v.phone, v.profile_id,
  case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as profile,
  case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end as device,
  v.location_id, json_build_object('id', l.id, 'name', l.name, 'time_zone', l.time_zone) as location,
  location_service(l) as service,
  v.session_start_at, v.session_end_at, v.special_profile, v.blocked, v.created_at, v.updated_at, null as deleted_at, v.erased_at`;
const joins = sql`
  join locations l on l.id = v.location_id left join profiles f on f.id = v.profile_id left join devices d on d.id = v.device_id`;

/** A member limited to some devices sees their guests, and guests without a device. */
export function within(scope: Scope): Sql {
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  return sql`${andLocation(scope, sql`v.location_id`)}
    ${devices ? sql`and (v.device_id is null or v.device_id = any(${devices}))` : empty}`;
}

type Provider = (typeof providerSlugs)[number];
export interface VisitorFilter {
  search?: string | undefined;
  similar?: boolean | undefined;
  providers?: Provider[] | undefined;
  location_id?: string | undefined;
  status?: VisitorStatus[] | undefined;
  ids?: readonly string[] | undefined;
}
interface Order {
  sort: VisitorOrder;
  order: 'asc' | 'desc';
}

// A literal instead of a parameter, because the best plan depends on how common the method is.
const literals = Object.fromEntries(providerSlugs.map(slug => [slug, raw(`'${slug}'`)])) as Record<Provider, Sql>;
const oneOf = (providers: readonly Provider[]): Sql =>
  sql`in (${join(providerSlugs.filter(slug => providers.includes(slug)).map(slug => literals[slug]))})`;

const mayUse = sql`not v.blocked and v.erased_at is null and (v.session_start_at is null or v.session_start_at <= now())
    and (v.session_end_at is null or v.session_end_at > now())`;
// Read once, not for each visitor.
const closedLocations = sql`array(select l.id from locations l where location_service(l) <> 'running')`;

/** A visitor has the first of these that is true. Each condition alone can be answered by an index. */
const statuses: Record<VisitorStatus, Sql> = {
  erased: sql`v.erased_at is not null`,
  paused: sql`v.blocked and v.erased_at is null`,
  later: sql`v.session_start_at > now() and not v.blocked and v.erased_at is null`,
  over: sql`v.session_end_at <= now() and not v.blocked and v.erased_at is null
    and (v.session_start_at is null or v.session_start_at <= now())`,
  closed: sql`${mayUse} and v.location_id = any(${closedLocations})`,
  valid: sql`${mayUse} and v.location_id <> all(${closedLocations})`,
};
const oneStatus = (chosen: readonly VisitorStatus[]): Sql =>
  sql`and (${join(
    visitorStates.filter(status => chosen.includes(status)).map(status => sql`(${statuses[status]})`),
    ' or ',
  )})`;

/** The conditions of a filter, except for its search. */
const matching = (scope: Scope, { providers, status, ids }: VisitorFilter): Sql => sql`${within(scope)}
  ${providers ? sql`and v.provider_type ${oneOf(providers)}` : empty}
  ${status ? oneStatus(status) : empty}
  ${ids ? sql`and v.id = any(${ids})` : empty}`;

/** The orders of the list, each with an index. Ids grow with time. */
const orders: Record<VisitorOrder, Record<Order['order'], Sql>> = {
  created: { asc: sql`v.id`, desc: sql`v.id desc` },
  name: { asc: sql`${nameOrder(sql`v.name`)}, v.id`, desc: sql`${nameOrder(sql`v.name`)} desc, v.id desc` },
  until: { asc: sql`v.session_end_at, v.id`, desc: sql`v.session_end_at desc, v.id desc` },
};

/** The ids that match a filter with a search, from the SQL function that can use the search index. */
async function searchIds(
  tx: Tx,
  scope: Scope,
  { search = '', providers }: VisitorFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  const rows = await tx.many<{ id: string }>(sql`
    select id from search_visitors(${contains(search)}, ${placesOf(scope)}, ${devices}, ${providers ?? null}, ${after}, ${limit}) id`);
  return rows.map(row => row.id);
}

// Users narrow a search instead of paging far.
const searchedRows = 1000;

/** The ids of the newest 1,000 visitors that match a text, as an SQL array. */
export const visitorsMatching = (scope: Scope, search: string): Sql => sql`array(
  select search_visitors(${contains(search)}, ${placesOf(scope)}, ${scope.kind === 'locations' ? scope.deviceIds : null}, null, null, ${searchedRows}))`;

type At = { page: number; per_page: number };

/** The columns of a visitor in lists; `provider_id` of a citizen is encrypted. */
const listColumns = sql`
  v.id, v.name, v.provider_type,
  case v.provider_type when 'citizen-id' then v.citizen_id when 'room-number' then v.room_number when 'username' then v.username
    when 'sms' then v.phone when 'email' then v.email end as provider_id,
  v.username, v.room_number, v.email, v.phone, v.profile_id, f.id as "profile.id", f.name as "profile.name",
  d.id as "device.id", d.name as "device.name", v.location_id, l.id as "location.id", l.name as "location.name",
  location_service(l) as service,
  v.session_start_at, v.session_end_at, v.special_profile, v.blocked, v.created_at, v.updated_at, null as deleted_at, v.erased_at,
  (select count(*) from online_sessions o where o.visitor_id = v.id) as devices_online,
  (select max(y.day)::text from visitor_days y where y.visitor_id = v.id) as last_seen_on`;

/** Replaces the encrypted identity number in lists. */
export type ShowCitizen = (encrypted: string) => string | null;

async function listed(tx: Tx, from: Sql, order: Sql, showCitizen: ShowCitizen): Promise<ListedVisitor[]> {
  const rows = await tx.nested<ListedVisitor>(sql`select ${listColumns} ${from} order by ${order}`);
  return rows.map(row =>
    row.provider_type === 'citizen-id' && row.provider_id !== null
      ? { ...row, provider_id: showCitizen(row.provider_id) }
      : row,
  );
}

/** Takes the page before the joins, so that skipped rows cost index entries only. */
const cutPage = (found: Sql, order: Sql, at: At): Sql => sql`
  from (select v.id as cut_id ${found} order by ${order} ${pageOf(at)}) cut join visitors v on v.id = cut.cut_id`;
/** Where none are skipped, they need not be looked up again. */
const firstPage = (found: Sql, order: Sql, at: At): Sql =>
  sql`from (select v.* ${found} order by ${order} ${pageOf(at)}) v`;

export async function listVisitors(
  tx: Tx,
  scope: Scope,
  filter: VisitorFilter & Order & At,
  showCitizen: ShowCitizen,
): Promise<Rows<ListedVisitor>> {
  // With a search, only its newest hits are ordered and filtered further.
  const hits = filter.search && (await hitsOf(tx, scope, filter, { after: null, limit: hitsFor(filter) }));
  const found = sql`from visitors v where true ${matching(scope, hits ? { ...filter, ids: hits } : filter)}`;
  const order = orders[filter.sort][filter.order];
  const page = filter.page === 1 ? firstPage(found, order, filter) : cutPage(found, order, filter);
  // Nearly every page is full, so the count starts without waiting for the page.
  const [rows, total] = await Promise.all([
    listed(tx, sql`${page} ${joins}`, order, showCitizen),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

const hitsFor = ({ page, per_page }: At): number => Math.max(searchedRows, page * per_page + 1);

export interface FoundVisitor {
  readonly id: string;
  readonly name: string;
  readonly detail: string | null;
  readonly location: { readonly id: string; readonly name: string };
  readonly service: LocationService;
}

/** Words shorter than this are like too many others. */
const shortestSimilar = 4;

/** The newest visitors that match a text, or else its misspellings, or else those whose texts are most like it. */
export async function findVisitors(tx: Tx, scope: Scope, search: string, limit: number): Promise<FoundVisitor[]> {
  const ids = await hitsOf(tx, scope, { search, similar: true }, { after: null, limit });
  const found = await tx.nested<FoundVisitor>(sql`
    select v.id, v.name, coalesce(v.username, v.room_number, v.email, v.phone) as detail,
      l.id as "location.id", l.name as "location.name", location_service(l) as service
    from visitors v join locations l on l.id = v.location_id where v.id = any(${ids}) ${within(scope)}`);
  return ids.flatMap(id => found.find(it => it.id === id) ?? []);
}

/** A list of more would hardly be read. */
const nearRows = 50;

/**
 * The ids that match a search. With `similar` also other ways to write a phone number. If none matches: its misspellings, or else
 * those whose texts are most like it.
 */
async function hitsOf(
  tx: Tx,
  scope: Scope,
  filter: VisitorFilter,
  at: { after: string | null; limit: number },
): Promise<string[]> {
  const { search = '', similar = false } = filter;
  const ids = await searchIds(tx, scope, filter, at);
  // The end of a list has no hits either. A full part goes on with the hits that are older than its last one.
  if (!similar || at.after !== null || ids.length >= at.limit) return ids;
  const limit = Math.min(at.limit, nearRows);
  const isNarrow = filter.providers !== undefined || filter.status !== undefined;
  // The rest of the filter leaves out some of them.
  const read = isNarrow ? searchedRows : limit;
  const fitting = async (near: string[]) => (isNarrow ? firstMatching(tx, scope, filter, near, limit) : near);
  const called = await fitting(await likeIds(tx, scope, phonePatterns(search), read));
  // Ids grow with time.
  if (called.length > 0) return [...new Set([...ids, ...called])].sort().reverse().slice(0, at.limit);
  if (ids.length > 0) return ids;
  const misspelled = await fitting(await likeIds(tx, scope, misspellings(search), read));
  return misspelled.length > 0 ? misspelled : fitting(await similarIds(tx, scope, search, read));
}

/** The first of some ids that match a filter, except for its search. */
async function firstMatching(
  tx: Tx,
  scope: Scope,
  filter: VisitorFilter,
  ids: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(sql`
    select v.id from unnest(${ids}::uuid[]) with ordinality near (id, place) join visitors v on v.id = near.id
    where true ${matching(scope, filter)} order by near.place limit ${limit}`);
  return rows.map(row => row.id);
}

/** The ids that match one of several patterns, the first patterns first. */
async function likeIds(tx: Tx, scope: Scope, patterns: readonly string[], limit: number): Promise<string[]> {
  if (patterns.length === 0) return [];
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  const rows = await tx.many<{ id: string }>(
    sql`select id from misspelled_visitors(${patterns}, ${placesOf(scope)}, ${devices}, ${limit}) id`,
  );
  return rows.map(row => row.id);
}

/** The ids of visitors that are spelled like a text, if none matches it. */
export async function spelledLike(tx: Tx, scope: Scope, search: string): Promise<string[]> {
  const [exact] = await searchIds(tx, scope, { search }, { after: null, limit: 1 });
  if (exact) return [];
  const called = await likeIds(tx, scope, phonePatterns(search), searchedRows);
  if (called.length > 0) return called;
  const misspelled = await likeIds(tx, scope, misspellings(search), searchedRows);
  return misspelled.length > 0 ? misspelled : similarIds(tx, scope, search, nearRows);
}

async function similarIds(tx: Tx, scope: Scope, search: string, limit: number): Promise<string[]> {
  if (search.length < shortestSimilar) return [];
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  const rows = await tx.many<{ id: string }>(
    sql`select id from similar_visitors(${search}, ${placesOf(scope)}, ${devices}, ${limit}) id`,
  );
  return rows.map(row => row.id);
}

type Exported = StoredRow & { made_at: string };

/** The next visitors of an export, newest first, with the local time of their creation. `next`: after which others follow. */
export async function nextVisitors(
  tx: Tx,
  scope: Scope,
  filter: VisitorFilter,
  at: { after: string | null; limit: number },
): Promise<{ rows: Exported[]; next: string | undefined }> {
  const hits = filter.search ? await hitsOf(tx, scope, filter, at) : undefined;
  const rows = await tx.many<Exported>(sql`
    select ${rowColumns}, ${localTime(sql`v.created_at`, sql`l.time_zone`)} as made_at
    from visitors v ${joins} where true ${matching(scope, filter)} ${hits ? sql`and v.id = any(${hits})` : empty}
      ${at.after ? sql`and v.id < ${at.after}` : empty}
    order by v.id desc limit ${at.limit}`);
  // Hits that do not match the rest of the filter are passed over.
  const read = hits ?? rows.map(row => row.id);
  return { rows, next: read.length < at.limit ? undefined : read.at(-1) };
}

/**
 * The balance of a visitor. Online: the least that its sessions have left, each as its guest sees it. Else calculated like at sign-in,
 * where the profile of a network is not known yet.
 */
const balance = sql`(
  select json_build_object(
    'seconds', min(b.seconds), 'seconds_today', min(b.day_seconds), 'seconds_total', min(b.total_seconds),
    'bytes', min(b.bytes), 'bytes_today', min(b.day_bytes), 'bytes_total', min(b.total_bytes), 'devices', count(b.session_id))
  from (
    select o.id as session_id, s.*
    from online_sessions o
    join locations at on at.id = o.location_id
    left join networks n on n.id = o.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, at.default_profile_id)
    cross join lateral session_balance(o, v, p, at) s
    where o.visitor_id = v.id
    union all
    select null, least(b.day_seconds, b.total_seconds, access_seconds(v)), least(b.day_bytes, b.total_bytes), b.*
    from (select) one
    left join profiles p on p.id = coalesce(v.profile_id, l.default_profile_id)
    cross join lateral visitor_balance(v, p, l) b
    where not exists (select from online_sessions o where o.visitor_id = v.id)) b) as balance`;

const chargesRoom = sql`exists (
  select from hotel_stays h join hotel_links k on k.integration_id = h.integration_id
  where h.visitor_id = v.id and h.left_at is null and not h.no_charges and k.currency is not null) as charges_room`;

/** `lock` keeps other transactions from changing the visitor until this one ends. */
export const findVisitor = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<StoredVisitor>(sql`
    select ${rowColumns}, v.birth_date, v.password, v.shared_user, v.session_duration, v.max_upload, v.max_download, v.total_paid_day,
      v.paid_end_at, ${chargesRoom}, ${balance}
    from visitors v ${joins} where v.id = ${id} ${within(scope)} ${lock ? sql`for update of v` : empty}`);

/** Columns to write; undefined ones stay unchanged. */
export interface VisitorValues {
  name: string;
  provider_type: string;
  profile_id: string | null;
  special_profile: boolean;
  shared_user: number;
  session_duration: object;
  max_upload: object;
  max_download: object;
  session_start_at: string | null;
  session_end_at: string | null;
  total_paid_day: number;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  username?: string | null | undefined;
  password?: string | undefined | null;
  citizen_id?: string | null | undefined;
  citizen_id_hash?: Buffer | null | undefined;
  room_number?: string | null | undefined;
  birth_date?: string | null | undefined;
}

export const insertVisitor = (tx: Tx, id: string, locationId: string, it: VisitorValues) =>
  tx.run(sql`
    insert into visitors (id, location_id, name, provider_type, profile_id, special_profile, shared_user, session_duration, max_upload,
      max_download, session_start_at, session_end_at, total_paid_day, email, phone, username, password, citizen_id, citizen_id_hash,
      room_number, birth_date, made_by_staff)
    values (${id}, ${locationId}, ${it.name}, ${it.provider_type}, ${it.profile_id}, ${it.special_profile}, ${it.shared_user},
      ${it.session_duration}, ${it.max_upload}, ${it.max_download}, ${it.session_start_at}, ${it.session_end_at}, ${it.total_paid_day},
      ${it.email ?? null}, ${it.phone ?? null}, ${it.username ?? null}, ${it.password ?? null}, ${it.citizen_id ?? null},
      ${it.citizen_id_hash ?? null}, ${it.room_number ?? null}, ${it.birth_date ?? null}, true)`);

/** Inserts visitors that differ in id, name, username and password. Skips used usernames and returns the ids of the others. */
export async function insertVisitors(
  tx: Tx,
  locationId: string,
  it: VisitorValues,
  people: readonly { id: string; name: string; username: string; encrypted: string }[],
): Promise<Set<string>> {
  const rows = await tx.many<{ id: string }>(sql`
    insert into visitors (id, location_id, name, username, password, provider_type, profile_id, special_profile, shared_user,
      session_duration, max_upload, max_download, session_start_at, session_end_at, total_paid_day, made_by_staff)
    select p.id, ${locationId}::uuid, p.name, p.username, p.password, ${it.provider_type}, ${it.profile_id}::uuid, ${it.special_profile}::boolean,
      ${it.shared_user}::int, ${it.session_duration}::jsonb, ${it.max_upload}::jsonb, ${it.max_download}::jsonb,
      ${it.session_start_at}::timestamptz, ${it.session_end_at}::timestamptz, ${it.total_paid_day}::int, true
    from unnest(${people.map(p => p.id)}::uuid[], ${people.map(p => p.name)}::text[], ${people.map(p => p.username)}::text[],
      ${people.map(p => p.encrypted)}::text[]) p(id, name, username, password)
    on conflict do nothing returning id`);
  return new Set(rows.map(row => row.id));
}

/** Columns that are not part of the form: whether the visitor is paused, and the location. */
export type VisitorChange = Partial<VisitorValues> & {
  blocked?: boolean;
  location_id?: string;
  device_id?: null;
  paid_end_at?: string | null;
};

export const updateVisitor = (tx: Tx, id: string, values: VisitorChange) =>
  tx.run(sql`update visitors set ${assignments({ ...values })} where id = ${id}`);

/** Dates visitors that were added later to this moment. Only the demo does so: its visitors have sessions in the past. */
export const addedBefore = (tx: Tx, at: Date) =>
  tx.run(sql`update visitors set created_at = ${at} where created_at > ${at}`);

export const deleteVisitor = (tx: Tx, id: string) => tx.run(sql`delete from visitors where id = ${id}`);

export const usernameTaken = async (
  tx: Tx,
  locationId: string,
  username: string,
  butId: string | null,
): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors where location_id = ${locationId} and username = ${username} and id is distinct from ${butId}`)) !==
  undefined;

/** Whether another visitor of the location has free access with the device of this one. */
export const portalMacTaken = async (tx: Tx, locationId: string, id: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors v join visitors o on o.portal_mac = v.portal_mac and o.provider_type = v.provider_type
    where v.id = ${id} and o.location_id = ${locationId} and o.id <> v.id`)) !== undefined;

export const citizenTaken = async (tx: Tx, locationId: string, hash: Buffer, butId: string | null): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors where location_id = ${locationId} and citizen_id_hash = ${hash} and id is distinct from ${butId}`)) !==
  undefined;
