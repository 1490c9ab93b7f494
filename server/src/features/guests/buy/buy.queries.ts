import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { Secrets } from '#lib/secrets.ts';

/** The keyed hash by which the code of a receipt is found. */
export const receiptHash = (secrets: Secrets, code: string): Buffer => secrets.index(`receipt:${code}`);

/** The open session of a guest device at its router, of any visitor. */
export const findSessionAt = (tx: Tx, deviceId: string, mac: string) =>
  tx.maybe<{ id: string; visitor_id: string | null }>(sql`
    select id, visitor_id from online_sessions where device_id = ${deviceId} and client_mac = parse_mac(${mac})`);

/** A guest who is in the hotel, with the rules for charges to its room. */
export interface HotelGuest {
  id: string;
  name: string;
  room_number: string | null;
  /** Encrypted. Null: only the whole name is known. */
  surname: string | null;
  integration_id: string;
  /** Null: the hotel takes no charges, or none to this room. */
  currency: string | null;
}

const hotelGuests = sql`
  select v.id, v.name, v.room_number, h.surname, h.integration_id, case when not h.no_charges then k.currency end as currency
  from visitors v join hotel_stays h on h.visitor_id = v.id join hotel_links k on k.integration_id = h.integration_id
  where h.left_at is null and not v.blocked and v.erased_at is null and (v.session_end_at is null or v.session_end_at > now())`;

/** The guests of a room who are in the hotel. */
export const findGuestsOfRoom = (tx: Tx, locationId: string, room: string) =>
  tx.many<HotelGuest & Record<string, unknown>>(sql`
    ${hotelGuests} and v.location_id = ${locationId} and v.room_number = any(array[${room}, upper(${room}), lower(${room})])
    order by v.id limit 100`);

/** A visitor, if it is a guest who is in the hotel. */
export const findHotelGuest = (tx: Tx, locationId: string, visitorId: string) =>
  tx.maybe<HotelGuest & Record<string, unknown>>(sql`
    ${hotelGuests} and v.location_id = ${locationId} and v.id = ${visitorId}`);
