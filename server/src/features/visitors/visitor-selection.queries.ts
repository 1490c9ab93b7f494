import sql, { type Sql } from 'sql-template-tag';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { within } from './visitors.queries.ts';

export interface SelectedVisitor {
  readonly id: string;
  readonly name: string;
  readonly location_id: string;
  readonly provider_type: string;
  readonly username: string | null;
  /** Encrypted. */
  readonly password: string | null;
  readonly session_start_at: string | null;
  readonly session_end_at: string | null;
  readonly profile_id: string | null;
  readonly total_paid_day: number;
  readonly blocked: boolean;
  readonly erased_at: string | null;
}

/** The visitors with these ids that are in reach, locked in one order, so that two selections cannot deadlock. */
export const lockSelected = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx.many<SelectedVisitor>(sql`
    select v.id, v.name, v.location_id, v.provider_type, v.username, v.password, v.session_start_at, v.session_end_at, v.profile_id,
      v.total_paid_day, v.blocked, v.erased_at
    from visitors v where v.id = any(${ids}) ${within(scope)} order by v.id for update`);

/** How many visitors with these ids are in a scope. */
export const countSelected = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<number> =>
  (
    await tx.one<{ found: number }>(
      sql`select count(*) as found from visitors v where v.id = any(${ids}) ${within(scope)}`,
    )
  ).found;

const later = (moment: Sql, days: number): Sql => sql`
  ((greatest(${moment}, now()) at time zone x.time_zone) + make_interval(days => ${days})) at time zone x.time_zone`;

/** Adds days to the ends of these visitors, as for one visitor. Returns the ids of those that had an end or pay by the day. */
export async function addDays(tx: Tx, ids: readonly string[], days: number): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(sql`
    update visitors v set
      session_end_at = case
        -- Paid days that have not begun do not stay behind an end that has passed.
        when x.paid and v.paid_end_at is null and v.session_end_at <= now() then null
        when v.session_end_at is not null then ${later(sql`v.session_end_at`, days)} end,
      paid_end_at = case when x.paid and v.paid_end_at is not null then ${later(sql`v.paid_end_at`, days)} else v.paid_end_at end,
      total_paid_day = v.total_paid_day + case when x.paid then ${days}::int else 0 end,
      updated_at = now()
    from (
      select v.id, l.time_zone, coalesce((p.paid_sale->>'is_active')::boolean, false) as paid
      from visitors v join locations l on l.id = v.location_id
      left join profiles p on p.id = v.profile_id and p.location_id = v.location_id
      where v.id = any(${ids})) x
    where v.id = x.id and (v.session_end_at is not null or x.paid)
    returning v.id`);
  return rows.map(row => row.id);
}

/** Sets the end of these visitors. A local time counts on the clocks of each visitor's location. */
export async function setEnd(tx: Tx, ids: readonly string[], until: { at: string; local: boolean }): Promise<string[]> {
  const end = until.local ? sql`${until.at}::timestamp at time zone l.time_zone` : sql`${until.at}::timestamptz`;
  const rows = await tx.many<{ id: string }>(sql`
    update visitors v set session_end_at = ${end}, updated_at = now()
    from locations l
    where v.id = any(${ids}) and l.id = v.location_id and ${end} > greatest(now(), v.session_start_at)
    returning v.id`);
  return rows.map(row => row.id);
}

export const setBlocked = (tx: Tx, ids: readonly string[], blocked: boolean) =>
  tx.run(sql`update visitors set blocked = ${blocked}, updated_at = now() where id = any(${ids})`);

export const deleteVisitors = (tx: Tx, ids: readonly string[]) =>
  tx.run(sql`delete from visitors where id = any(${ids})`);

export interface Destination {
  readonly locationId: string;
  readonly profileId: string | null;
  /** The profile is paid for. */
  readonly paid: boolean;
}

/**
 * Moves those of the visitors that may be moved, by the rules for one visitor, and returns their ids. Of two with one user name,
 * identity number or device, the first that may be moved is moved. Without a profile, those who are there already stay as they are.
 */
export async function moveVisitors(tx: Tx, ids: readonly string[], to: Destination): Promise<string[]> {
  const { locationId, profileId, paid } = to;
  const isFree = (key: Sql, same: Sql) => sql`(v.${key} is null or not exists (
    select from visitors o where o.location_id = ${locationId} and ${same}))`;
  const rows = await tx.many<{ id: string }>(sql`
    update visitors v set location_id = ${locationId}, profile_id = ${profileId}::uuid, updated_at = now(),
      device_id = case when x.away then null else v.device_id end
    from (
      select v.id, v.location_id <> ${locationId} as away,
        row_number() over (partition by v.username order by v.id) as of_name,
        row_number() over (partition by v.citizen_id_hash order by v.id) as of_number,
        row_number() over (partition by v.provider_type, v.portal_mac order by v.id) as of_device
      from visitors v
      where v.id = any(${ids})
        and (not ${paid}::boolean or v.total_paid_day > 0 or v.session_end_at is not null or v.profile_id = ${profileId}::uuid)
        and case when v.location_id = ${locationId}
          then ${profileId}::uuid is not null and v.profile_id is distinct from ${profileId}::uuid
          else ${isFree(sql`username`, sql`o.username = v.username`)}
            and ${isFree(sql`citizen_id_hash`, sql`o.citizen_id_hash = v.citizen_id_hash`)}
            and ${isFree(sql`portal_mac`, sql`o.provider_type = v.provider_type and o.portal_mac = v.portal_mac`)} end) x
    where v.id = x.id and (not x.away
      or (v.username is null or x.of_name = 1) and (v.citizen_id_hash is null or x.of_number = 1)
        and (v.portal_mac is null or x.of_device = 1))
    returning v.id`);
  return rows.map(row => row.id);
}
