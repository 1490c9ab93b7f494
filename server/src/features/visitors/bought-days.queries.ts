import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors who buy days on the portal. */

const limit = (option: string, value: number | null) => ({ is_active: value !== null, option, value: value ?? 1 });

/** Access that is just enough for a payment: one device, slow, for some minutes. */
export const insertBuyer = (
  tx: Tx,
  id: string,
  it: { locationId: string; deviceId: string | null; email: string; phone: string | null; seconds: number },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, email, phone, special_profile, shared_user, session_end_at,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, 'email', ${it.email}, ${it.email}, ${it.phone}, true, 1,
      now() + make_interval(secs => ${it.seconds}), ${limit('day', null)}, ${limit('mbps', 1)}, ${limit('mbps', 1)})`);

/** Gives a buyer minutes for another payment, unless days that it bought are still running. */
export const reopenBuyer = (tx: Tx, id: string, seconds: number) =>
  tx.run(sql`
    update visitors set session_end_at = greatest(session_end_at, now() + make_interval(secs => ${seconds})), updated_at = now()
    where id = ${id} and special_profile and total_paid_day = 0`);

/** Whether the minutes that a buyer got for a payment are still running. */
export const hasMinutes = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors
    where id = ${id} and special_profile and total_paid_day = 0 and erased_at is null and not blocked
      and session_end_at > now()`)) !== undefined;

/** The visitor to whom a further purchase of the same profile adds days; undefined if it may not. */
export const findBuyer = (tx: Tx, id: string, it: { locationId: string; profileId: string | null }) =>
  tx.maybe<{ id: string }>(sql`
    select id from visitors
    where id = ${id} and location_id = ${it.locationId} and erased_at is null
      and (special_profile and total_paid_day = 0 or profile_id = ${it.profileId})
    for no key update`);

/**
 * Adds bought days to a visitor. They begin with the first sign-in, or now if the visitor is online or its profile counts
 * from the purchase. Days that are running already get longer.
 */
export const addBoughtDays = (tx: Tx, id: string, it: { days: number; profileId: string | null }) =>
  tx.run(sql`
    update visitors v set special_profile = false, profile_id = ${it.profileId}, updated_at = now(),
      total_paid_day = v.total_paid_day + ${it.days}, paid_end_at = x.ends, session_end_at = x.ends
    from (
      select v.id, case when v.paid_end_at is not null or p.paid_days_from = 'purchase'
          or exists (select from online_sessions o where o.visitor_id = v.id)
        then ((greatest(v.paid_end_at, now()) at time zone l.time_zone) + make_interval(days => ${it.days}
          + case when v.paid_end_at is null then v.total_paid_day else 0 end)) at time zone l.time_zone end as ends
      from visitors v join locations l on l.id = v.location_id left join profiles p on p.id = ${it.profileId}
      where v.id = ${id}) x
    where v.id = x.id`);

/** Takes bought days back. Without days left, access ends now. Locks the visitor. */
export const takeBoughtDays = (tx: Tx, id: string, days: number) =>
  tx.run(sql`
    update visitors v set updated_at = now(), total_paid_day = greatest(0, v.total_paid_day - ${days}::int),
      paid_end_at = ((v.paid_end_at at time zone l.time_zone) - make_interval(days => ${days}::int)) at time zone l.time_zone,
      session_end_at = case when v.total_paid_day <= ${days}::int then least(v.session_end_at, now())
        else ((v.session_end_at at time zone l.time_zone) - make_interval(days => ${days}::int)) at time zone l.time_zone end
    from locations l where l.id = v.location_id and v.id = ${id} and v.erased_at is null`);

/** Whether access at this location is running, or waits for the first sign-in. */
export const mayConnect = async (tx: Tx, id: string, locationId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors
    where id = ${id} and location_id = ${locationId} and erased_at is null and not blocked and total_paid_day > 0 and (session_end_at is null or session_end_at > now())`)) !==
  undefined;
