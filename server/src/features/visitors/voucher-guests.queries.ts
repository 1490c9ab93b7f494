import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors who signed in with a voucher. */

const noLimit = (option: string) => ({ is_active: false, option, value: 1 });

/** Creates the visitor of a voucher. Its access ends `valid_for` from now, and at the latest with the last day. */
export const insertVoucherGuest = (
  tx: Tx,
  id: string,
  it: {
    locationId: string;
    deviceId: string;
    name: string;
    profileId: string | null;
    devices: number;
    validFor: object;
    validUntil: string | null;
  },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, profile_id, shared_user, session_start_at, session_end_at,
      session_duration, max_upload, max_download)
    select ${id}, l.id, ${it.deviceId}, 'voucher', ${it.name}, ${it.profileId}, ${it.devices}, now(),
      least(now() + make_interval(secs => limit_seconds(${it.validFor}::jsonb)), voucher_end(${it.validUntil}::date, l.time_zone)),
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')}
    from locations l where l.id = ${it.locationId}`);

/** Ends the access of these visitors now. */
export const endVoucherGuests = (tx: Tx, visitorIds: readonly string[]) =>
  tx.run(sql`
    update visitors set session_end_at = now(), updated_at = now()
    where id = any(${visitorIds}) and (session_end_at is null or session_end_at > now())`);

/**
 * Gives these visitors more days by the clocks of the location, if their access is running, or ended with the last day of
 * their batch.
 */
export const extendVoucherGuests = (
  tx: Tx,
  it: { visitorIds: readonly string[]; days: number; lastDay: string | null; newLastDay: string | null },
) =>
  tx.run(sql`
    update visitors v set updated_at = now(), session_end_at = least(
      ((v.session_end_at at time zone l.time_zone) + make_interval(days => ${it.days})) at time zone l.time_zone,
      voucher_end(${it.newLastDay}::date, l.time_zone))
    from locations l
    where l.id = v.location_id and v.id = any(${it.visitorIds}) and v.erased_at is null
      and (v.session_end_at > now() or v.session_end_at = voucher_end(${it.lastDay}::date, l.time_zone))`);
