import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The stays that a hotel system reports by its own protocol. */

export interface StayRow {
  external_id: string;
  reservation: string;
  profile_number: string | null;
  /** Encrypted. */
  surname: string | null;
  vip: string | null;
  rate: string | null;
  shared: boolean;
  no_charges: boolean;
}

export interface KnownStay extends StayRow {
  visitor_id: string;
  left_at: string | null;
  name: string;
  room_number: string | null;
  /** Encrypted. */
  birth_date: string | null;
  citizen_id: string | null;
  /** Local times at the location. */
  starts: string | null;
  ends: string | null;
}

/** The stays of these reservations, those of guests who are here first. */
export const findStays = (tx: Tx, integrationId: string, reservations: readonly string[], zone: string) =>
  tx.many<KnownStay & Record<string, unknown>>(sql`
    select s.visitor_id, s.external_id, s.reservation, s.profile_number, s.surname, s.vip, s.rate, s.shared, s.no_charges, s.left_at,
      v.name, v.room_number, v.birth_date, v.citizen_id,
      to_char(v.session_start_at at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as starts,
      to_char(v.session_end_at at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as ends
    from hotel_stays s join visitors v on v.id = s.visitor_id
    where s.integration_id = ${integrationId} and s.reservation = any(${reservations})
    order by s.left_at is not null, s.updated_at desc`);

/** Keeps what a report says about stays whose visitors exist. */
export const saveStays = (
  tx: Tx,
  it: { integrationId: string; locationId: string },
  stays: readonly StayRow[],
): Promise<number> =>
  tx.run(sql`
    insert into hotel_stays (visitor_id, location_id, integration_id, external_id, reservation, profile_number, surname, vip, rate, shared, no_charges)
    select v.id, ${it.locationId}, ${it.integrationId}, s.external_id, s.reservation, s.profile_number, s.surname, s.vip, s.rate, s.shared, s.no_charges
    from jsonb_to_recordset(${JSON.stringify(stays)}::jsonb)
      as s(external_id text, reservation text, profile_number text, surname text, vip text, rate text, shared boolean, no_charges boolean)
      join visitors v on v.integration_id = ${it.integrationId} and v.external_id = s.external_id
    on conflict (tenant_id, visitor_id) do update set
      surname = excluded.surname, vip = excluded.vip, rate = excluded.rate, shared = excluded.shared, no_charges = excluded.no_charges,
      left_at = null, updated_at = now()`);

/** Notes that guests have left: of one reservation, or all but some. Returns their visitors. */
export const leaveReservation = async (tx: Tx, integrationId: string, reservation: string): Promise<string[]> =>
  (
    await tx.many<{ visitor_id: string }>(sql`
      update hotel_stays set left_at = now(), updated_at = now()
      where integration_id = ${integrationId} and reservation = ${reservation} and left_at is null returning visitor_id`)
  ).map(it => it.visitor_id);

export const leaveOthers = (tx: Tx, integrationId: string, externalIds: readonly string[]) =>
  tx.run(sql`
    update hotel_stays set left_at = now(), updated_at = now()
    where integration_id = ${integrationId} and left_at is null and external_id <> all(${externalIds})`);

/** Deletes the details of stays that ended a while ago, across tenants. Their visitors are erased by their own retention. */
export const forgetStays = (tx: Tx, days: number) =>
  tx.run(sql`delete from hotel_stays where left_at < now() - make_interval(days => ${days})`);

/** The guests who are here now. */
export const countGuests = async (tx: Tx, integrationId: string): Promise<number> =>
  (
    await tx.one<{ guests: number }>(sql`
      select count(*)::int as guests from hotel_stays s join visitors v on v.id = s.visitor_id
      where s.integration_id = ${integrationId} and s.left_at is null and (v.session_end_at is null or v.session_end_at > now())`)
  ).guests;
