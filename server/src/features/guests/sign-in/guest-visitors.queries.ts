import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors as sign-in methods look them up. */

export interface CitizenRow {
  id: string;
  name: string;
  /** Encrypted YYYY-MM-DD. */
  birth_date: string | null;
}

export const findCitizen = (tx: Tx, locationId: string, hash: Buffer) =>
  tx.maybe<CitizenRow>(sql`
    select id, name, birth_date from visitors
    where location_id = ${locationId} and citizen_id_hash = ${hash} and provider_type = 'citizen-id'`);

export interface RoomRow {
  id: string;
  name: string;
  /** Encrypted. Null: only the whole name is known. */
  surname: string | null;
  /** Encrypted. */
  birth_date: string | null;
  citizen_id: string | null;
  /** The day of departure in the location's time zone. */
  leaves: string | null;
}

/** The visitors of a room; current ones come first. */
export const findRoom = (tx: Tx, locationId: string, room: string) =>
  tx.many<RoomRow>(sql`
    select v.id, v.name, h.surname, v.birth_date, v.citizen_id, to_char(v.session_end_at at time zone l.time_zone, 'YYYY-MM-DD') as leaves
    from visitors v join locations l on l.id = v.location_id left join hotel_stays h on h.visitor_id = v.id
    where v.location_id = ${locationId} and v.room_number = any(array[${room}, upper(${room}), lower(${room})])
      and v.provider_type = 'room-number'
    order by v.session_end_at > now() or v.session_end_at is null desc, v.session_start_at <= now() desc, v.id desc limit 100`);

/** Where a visitor can be reached. */
export const findAddresses = (tx: Tx, visitorId: string) =>
  tx.maybe<{ email: string | null; phone: string | null }>(
    sql`select email, phone from visitors where id = ${visitorId}`,
  );

/** The visitor of an account at an OpenID provider. */
export const findBySubject = (tx: Tx, locationId: string, integrationId: string, externalId: string) =>
  tx.maybe<{ id: string }>(sql`
    select id from visitors
    where location_id = ${locationId} and integration_id = ${integrationId} and external_id = ${externalId}`);

/** The visitor who signed in by SMS with this number before. */
export const findByPhone = (tx: Tx, locationId: string, phone: string) =>
  tx.maybe<{ id: string }>(sql`
    select id from visitors where location_id = ${locationId} and phone = ${phone} and provider_type = 'sms' order by id limit 1`);
