import { isLocalTime } from '@portico/contract/fields.ts';
import type { Direction, locationOrders } from '@portico/contract/list-orders.ts';
import type { Location, LocationChoices, LocationContents, licenseFilters } from '@portico/contract/locations.ts';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { bound, nameOrder, pageOf, textMatches } from '#db/list.ts';
import { andDevice, andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';

/** `and` + the condition that the actor may see location `l`, regardless of the active team. */
export function andVisible(actor: Actor): Sql {
  const only = actor.onlyLocationId === null ? empty : sql`and l.id = ${actor.onlyLocationId}`;
  if (actor.role === 'tenant-admin' || actor.role === 'auditor') return only;
  if (actor.role === 'reseller') return sql`and l.owner_id = ${actor.userId} ${only}`;
  return sql`and l.id = any(${actor.memberships.map(m => m.locationId)})`;
}

/** The days until an end, rounded up; 0 or below if it has passed. */
export const daysLeft = (end: Sql) => sql`ceil(extract(epoch from ${end} - now()) / 86400)::int`;

/** The remaining days of the trial of a location or device; 0 once it has a licence. */
export const trialLeft = (of: 'd' | 'l') =>
  sql`case when ${raw(of)}.license_end_at is null then ${daysLeft(sql`${raw(of)}.trial_end_at`)} else 0 end`;

const columns = sql`
  l.id, l.external_id, l.name, nullif(l.country, '') as country, nullif(l.city, '') as city, nullif(l.district, '') as district, l.time_zone, l.portal_id, l.default_profile_id, l.available_providers,
  concat_ws(', ', nullif(concat_ws(' / ', nullif(l.district, ''), nullif(l.city, '')), ''), nullif(l.country, '')) as address,
  case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as portal,
  periods_with_portals(l.tenant_id, l.portal_periods) as portal_periods,
  l.sms_limit, l.sms_used, l.license_end_at, l.license_end_at is null as is_trial,
  coalesce(${daysLeft(sql`l.license_end_at`)}, 0) as license_remain, ${trialLeft('l')} as trial_remain,
  l.suspended_at, l.suspended_by,
  l.time_limit, l.time_limit_unit, l.time_limit_enabled, l.daily_bandwidth, l.daily_bandwidth_unit, l.daily_bandwidth_enabled,
  l.download_limit, l.download_limit_enabled, l.upload_limit, l.upload_limit_enabled,
  array(select upper(m::text) from unnest(l.mac_whitelist) m) as mac_whitelist, l.mac_whitelist_enabled,
  array(select upper(m::text) from unnest(l.mac_blacklist) m) as mac_blacklist, l.mac_blacklist_enabled,
  l.created_at, l.updated_at, null as deleted_at`;
const from = sql`from locations l left join portals p on p.id = l.portal_id`;

/** `and` + the condition that location `l` has this licence state. Each location has exactly one of the last three. */
export const licensed = {
  all: empty,
  in_demo: sql`and l.suspended_at is null and l.license_end_at is null and l.trial_end_at > now()`,
  suspended: sql`and (l.suspended_at is not null or coalesce(l.license_end_at, l.trial_end_at) <= now())`,
  active: sql`and l.suspended_at is null and l.license_end_at > now()`,
} satisfies Record<(typeof licenseFilters)[number], Sql>;

export interface LocationFilter {
  page: number;
  per_page: number;
  license: (typeof licenseFilters)[number];
  name?: string | undefined;
  external_id?: string | undefined;
}
interface Order {
  sort: (typeof locationOrders)[number];
  order: Direction;
}

const orders: Record<Order['sort'], Record<Direction, Sql>> = {
  created: { asc: sql`l.id`, desc: sql`l.id desc` },
  name: { asc: sql`${nameOrder(sql`l.name`)}, l.id`, desc: sql`${nameOrder(sql`l.name`)} desc, l.id desc` },
};

export async function listLocations(
  tx: Tx,
  actor: Actor,
  filter: LocationFilter & Order,
  matches = textMatches,
): Promise<Rows<Location>> {
  const where = sql`where true ${andVisible(actor)} ${licensed[filter.license]}
    ${filter.name ? sql`and ${matches(sql`l.name`, filter.name)}` : empty}
    ${filter.external_id ? sql`and l.external_id = ${filter.external_id}` : empty}`;
  const order = orders[filter.sort][filter.order];
  const [rows, { total }] = await Promise.all([
    // The columns are computed for the page only, not for the skipped rows.
    tx.nested<Location>(sql`select ${columns}
      from (select l.* from locations l ${where} order by ${order}
        ${pageOf(filter)}) l
      left join portals p on p.id = l.portal_id order by ${order}`),
    tx.one<{ total: number }>(sql`select count(*) as total from locations l ${where}`),
  ]);
  return { rows, total };
}

/** Locations that match a text by name, for the search of everything. */
export const findLocations = (tx: Tx, actor: Actor, search: string, limit: number, matches = textMatches) =>
  tx.many<{ id: string; name: string; city: string | null }>(sql`
    select l.id, l.name, nullif(l.city, '') as city from locations l
    where ${matches(sql`l.name`, search)} ${andVisible(actor)} order by l.id desc limit ${bound(limit)}`);

export const findLocation = (tx: Tx, actor: Actor, id: string) =>
  tx.maybe<Location>(sql`select ${columns} ${from} where l.id = ${id} ${andVisible(actor)}`);

export const reachesLocation = async (tx: Tx, actor: Actor, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from locations l where l.id = ${id} ${andVisible(actor)}`)) !== undefined;

/** The locations that the actor sees with an id of another system, at most two. */
export const ofExternalId = (actor: Actor, externalId: string): Sql =>
  sql`
    select l.id from locations l where l.external_id = ${externalId} ${andVisible(actor)}
    ${servesCustomers(actor) ? sql`and ${ofTenant}` : empty} limit 2`;

/** A tenant administrator sees the locations of every customer. */
const servesCustomers = (actor: Actor): boolean => actor.role === 'tenant-admin' && actor.onlyLocationId === null;
const ofTenant = sql`(l.owner_id is null or exists (
  select from users u where u.id = l.owner_id and u.role = 'tenant-admin'))`;

/** True if a customer of the tenant administrator has a location with this id of another system. */
export const customerHasId = async (tx: Tx, actor: Actor, externalId: string): Promise<boolean> =>
  servesCustomers(actor) &&
  (await tx.maybe(sql`select 1 from locations l where l.external_id = ${externalId} and not ${ofTenant} limit 1`)) !==
    undefined;

export async function insertLocation(
  tx: Tx,
  location: { id: string; name: string; ownerId: string | null; trialDays: number },
): Promise<void> {
  await tx.run(sql`
    insert into locations (id, name, owner_id, trial_end_at, time_zone)
    values (${location.id}, ${location.name}, ${location.ownerId}, now() + make_interval(days => ${location.trialDays}),
      (select t.time_zone from tenants t where t.id = current_tenant()))`);
}

export const updateLocation = (tx: Tx, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update locations l set ${assignments(values)} where id = ${id}`);

/** Some years after the later of `end` and now. Computed in local time, so that the end of a day stays the end of a day. */
export const endAfter = (end: Sql, timeZone: Sql, years: number): Sql => sql`
  least(((greatest(${end}, now()) at time zone ${timeZone}) + make_interval(years => ${years})) at time zone ${timeZone}, '9000-01-01Z')`;

/** The end of a day, or a time. Without an offset it is a local time of the location. */
function endOf(text: string): Sql {
  if (text.length === 10) return sql`end_of_day(${text}::date, time_zone)`;
  return isLocalTime(text) ? sql`${text}::timestamp at time zone time_zone` : sql`${text}::timestamptz`;
}

/** Locks the row until the transaction ends, so that the audit log has the right values before and after. */
export const lockLocation = (tx: Tx, id: string) =>
  tx.run(sql`select from locations where id = ${id} for no key update`);

/**
 * Keeps accounting out of the routers of a location until the transaction ends. Taken before any row, and in the order of
 * account().
 */
export const lockRoutersOf = (tx: Tx, locationId: string) =>
  tx.run(sql`
    select pg_advisory_xact_lock(key)
    from (select lock_key('router', id::text) as key from devices where location_id = ${locationId} order by 1) x`);

/** Lets the open sessions of a location count to the days and hours of its new time zone. Its routers are locked. */
export const startNewHours = (tx: Tx, locationId: string) => tx.run(sql`select start_new_hours(${locationId})`);

/** Ends the trial: the location is licensed until `endAt`, or for `years` more. Returns whether that end is to come. */
export const licenseLocation = async (
  tx: Tx,
  id: string,
  license: { endAt: string } | { years: number },
): Promise<boolean> => {
  const row = await tx.maybe<{ to_come: boolean }>(sql`
    update locations set updated_at = now(), license_end_at = ${
      'endAt' in license ? endOf(license.endAt) : endAfter(sql`license_end_at`, sql`time_zone`, license.years)
    } where id = ${id} returning license_end_at > now() as to_come`);
  return row?.to_come === true;
};

/** Adds paid years to a licence, or takes them off again: then it ends now at the earliest. Returns both ends. */
export async function moveLicence(
  tx: Tx,
  id: string,
  years: number,
): Promise<{ before: string | null; after: string | null }> {
  const { before } = await tx.one<{ before: string | null }>(
    sql`select license_end_at as before from locations where id = ${id} for no key update`,
  );
  const { after } = await tx.one<{ after: string | null }>(sql`
    update locations l set updated_at = now(), license_end_at = ${
      years > 0
        ? endAfter(sql`l.license_end_at`, sql`l.time_zone`, years)
        : sql`least(l.license_end_at, greatest(now(),
            ((l.license_end_at at time zone l.time_zone) - make_interval(years => ${-years})) at time zone l.time_zone))`
    } where l.id = ${id} returning l.license_end_at as after`);
  return { before, after };
}

/** Deletes a location with its devices and their sessions. Its members get another active location. Returns the number of deleted locations. */
export async function deleteLocation(tx: Tx, id: string): Promise<number> {
  await tx.run(sql`
    select move_to_next_location(${id}, array(select id from users where active_location_id = ${id} and role = 'member'))`);
  await tx.run(sql`select close_device_sessions(array(select id from devices where location_id = ${id}))`);
  return tx.run(sql`delete from locations where id = ${id}`);
}

/** The number of objects that are deleted with a location. */
export const locationContents = (tx: Tx, id: string) =>
  tx.one<Omit<LocationContents, 'deletable'>>(sql`
    select (select count(*) from devices where location_id = ${id}) as devices,
      (select count(*) from visitors where location_id = ${id}) as visitors,
      (select count(*) from portals where location_id = ${id}) as portals,
      (select count(*) from profiles where location_id = ${id}) as profiles,
      (select count(*) from location_members where location_id = ${id}) as administrators,
      (select count(*) from integrations where location_id = ${id}) as integrations,
      (select count(*) from online_sessions where location_id = ${id}) as online`);

export const isMember = async (tx: Tx, id: string, userId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from location_members where location_id = ${id} and user_id = ${userId}`)) !== undefined;

export const isOwner = async (tx: Tx, id: string, userId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from locations where id = ${id} and owner_id = ${userId}`)) !== undefined;

/** Makes a user the first manager of a location, with these permissions. */
export const addManager = (tx: Tx, at: { locationId: string; userId: string; permissions: readonly string[] }) =>
  tx.run(sql`select add_manager(${at.locationId}, ${at.userId}, ${at.permissions})`);

/** The given locations that are within the scope. */
export const placesWithin = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx.many<{ id: string; time_zone: string }>(
    sql`select l.id, l.time_zone from locations l where l.id = any(${ids}) ${andLocation(scope, sql`l.id`)}`,
  );

/** The location that the actor may see, if it is the only one. */
export async function onlyLocation(tx: Tx, actor: Actor): Promise<string | undefined> {
  const rows = await tx.many<{ id: string }>(sql`select l.id from locations l where true ${andVisible(actor)} limit 2`);
  return rows.length === 1 ? rows[0]!.id : undefined;
}

/** A location may use its own portals and shared ones: resellers those that they created, members the current one. */
function usablePortal(actor: Actor, locationId: string | null): Sql {
  const shown = sql`p.id = (select l.portal_id from locations l where l.id = ${locationId})`;
  const shared = {
    'tenant-admin': sql`true`,
    auditor: sql`true`,
    reseller: sql`p.created_by = ${actor.userId}`,
    member: shown,
  }[actor.onlyLocationId === null ? actor.role : 'member'];
  return sql`(p.location_id = ${locationId} or (p.location_id is null and ${shared}))`;
}

export const portalUsable = async (
  tx: Tx,
  actor: Actor,
  portalId: string,
  locationId: string | null,
): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from portals p where p.id = ${portalId} and ${usablePortal(actor, locationId)}`)) !==
  undefined;

export const portalChoices = (tx: Tx, actor: Actor, locationId: string) =>
  tx.many<LocationChoices['portals'][number]>(
    sql`select p.id, p.name from portals p where ${usablePortal(actor, locationId)} order by p.id desc`,
  );

export const profileChoices = (tx: Tx, locationId: string) =>
  tx.many<LocationChoices['profiles'][number]>(sql`
    select id, name, (paid_sale->>'is_active')::boolean as is_paid from profiles
    where location_id = ${locationId} order by id desc`);

export const deviceChoices = (tx: Tx, scope: Scope, locationId: string) =>
  tx.many<LocationChoices['devices'][number]>(sql`
    select d.id, d.name from devices d
    where d.location_id = ${locationId} ${andDevice(scope, sql`d.location_id`, sql`d.id`)} order by d.id desc`);

export const profileOf = async (tx: Tx, profileId: string, locationId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from profiles where id = ${profileId} and location_id = ${locationId}`)) !== undefined;

export const setDefaultProfile = (tx: Tx, locationId: string, profileId: string | null) =>
  tx.run(sql`update locations set default_profile_id = ${profileId}, updated_at = now() where id = ${locationId}`);

/** Sets the portal of a location that has none. */
export const givePortal = (tx: Tx, id: string, portalId: string) =>
  tx.run(sql`update locations set portal_id = ${portalId}, updated_at = now() where id = ${id} and portal_id is null`);

/**
 * Counts one message against the location's limit. Undefined if the limit is used up, or if the owner has not confirmed the
 * e-mail address, because strangers can register a location.
 */
export const countSms = (tx: Tx, locationId: string) =>
  tx.maybe<{ used: number; limit: number; name: string }>(sql`
    update locations set sms_used = sms_used + 1 where id = ${locationId} and sms_used < sms_limit
      and not exists (select from users u where u.id = locations.owner_id and u.email_confirmed_at is null)
    returning sms_used as used, sms_limit as "limit", name`);

export const suspendLocation = (tx: Tx, id: string, by: 'reseller' | 'tenant-admin') =>
  tx.run(sql`update locations set suspended_at = now(), suspended_by = ${by}, updated_at = now() where id = ${id}`);

export const resumeLocation = (tx: Tx, id: string) =>
  tx.run(sql`update locations set suspended_at = null, suspended_by = null, updated_at = now() where id = ${id}`);

export const setOwner = (tx: Tx, id: string, ownerId: string | null) =>
  tx.run(sql`update locations set owner_id = ${ownerId}, updated_at = now() where id = ${id}`);

/** Sets the locations of a reseller. Removed ones belong to the tenant. Returns who lost which location. */
export const setOwnLocations = (tx: Tx, userId: string, ids: readonly string[]) =>
  tx.many<{ id: string; owner_id: string }>(sql`
    with changed as (
      update locations l set owner_id = case when l.id = any(${ids}) then ${userId}::uuid end
      from locations before
      where before.id = l.id and before.tenant_id = l.tenant_id
        and (l.id = any(${ids}) and l.owner_id is distinct from ${userId} or l.owner_id = ${userId} and l.id <> all(${ids}))
      returning l.id, before.owner_id)
    select id, owner_id from changed where owner_id is not null`);

/** Removes the owner of a location, or of all of an owner's locations. They then belong to the tenant. */
export const disown = (tx: Tx, userId: string, id: string | null = null) =>
  tx.run(
    sql`update locations set owner_id = null where owner_id = ${userId} and (${id}::uuid is null or id = ${id}::uuid)`,
  );

/** Replaces a profile as default of locations. */
export const replaceDefaultProfile = (tx: Tx, id: string, replacement: string) =>
  tx.run(
    sql`update locations set default_profile_id = ${replacement}, updated_at = now() where default_profile_id = ${id}`,
  );

/**
 * The first of these portals that a location or its device may not use; undefined if it may use all. Portals in `kept` may
 * stay.
 */
export async function unusablePortal(
  tx: Tx,
  actor: Actor,
  locationId: string | null,
  periods: readonly { portal_id: string }[],
  kept: readonly { portal_id: string }[],
): Promise<number | undefined> {
  for (const [i, { portal_id }] of periods.entries())
    if (!kept.some(it => it.portal_id === portal_id) && !(await portalUsable(tx, actor, portal_id, locationId)))
      return i;
  return undefined;
}
