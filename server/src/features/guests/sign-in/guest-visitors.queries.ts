import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors as sign-in methods look them up, and visitors that guests create themselves. */

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
  /** Encrypted. */
  birth_date: string | null;
  citizen_id: string | null;
  /** The day of departure in the location's time zone. */
  leaves: string | null;
}

/** The visitors of a room; current ones come first. */
export const findRoom = (tx: Tx, locationId: string, room: string) =>
  tx.many<RoomRow>(sql`
    select v.id, v.birth_date, v.citizen_id, to_char(v.session_end_at at time zone l.time_zone, 'YYYY-MM-DD') as leaves
    from visitors v join locations l on l.id = v.location_id
    where v.location_id = ${locationId} and v.room_number = any(array[${room}, upper(${room}), lower(${room})])
      and v.provider_type = 'room-number'
    order by v.session_end_at > now() or v.session_end_at is null desc, v.session_start_at <= now() desc, v.id desc limit 100`);

export interface NewGuest {
  readonly locationId: string;
  readonly deviceId: string;
  readonly provider: string;
  readonly name: string;
  readonly phone?: string;
  readonly email?: string;
  /** Encrypted, as is the birth date. */
  readonly citizenId?: string;
  readonly citizenHash?: Buffer;
  readonly birthDate?: string;
}

const noLimit = (option: string) => ({ is_active: false, option, value: 1 });

/** Creates a visitor on the portal, unless a concurrent request has just done so. */
export const insertGuest = (tx: Tx, id: string, it: NewGuest) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, phone, email, citizen_id, citizen_id_hash, birth_date,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, ${it.provider}, ${it.name}, ${it.phone ?? null}, ${it.email ?? null},
      ${it.citizenId ?? null}, ${it.citizenHash ?? null}, ${it.birthDate ?? null}, ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})
    on conflict do nothing`);

/** The visitor of an account at an OpenID provider. */
export const findBySubject = (tx: Tx, integrationId: string, externalId: string) =>
  tx.maybe<{ id: string }>(
    sql`select id from visitors where integration_id = ${integrationId} and external_id = ${externalId}`,
  );

/** Creates the visitor of an OpenID account, which counts as a guest with an e-mail address. */
export const insertBySubject = (
  tx: Tx,
  id: string,
  it: {
    integrationId: string;
    externalId: string;
    locationId: string;
    deviceId: string;
    name: string;
    email: string | null;
  },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, integration_id, external_id, provider_type, name, email,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, ${it.integrationId}, ${it.externalId}, 'email', ${it.name}, ${it.email},
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})
    on conflict do nothing`);

/** Stores a guest's contact data, without replacing what the visitor already has. */
export const keepContact = (tx: Tx, visitorId: string, it: { email: string | null; phone: string | null }) =>
  tx.run(sql`
    update visitors set email = coalesce(email, ${it.email}), phone = coalesce(phone, ${it.phone}), updated_at = now()
    where id = ${visitorId} and ((email is null and ${it.email}::text is not null) or (phone is null and ${it.phone}::text is not null))`);

/** The visitor who signed in by SMS with this number before. */
export const findByPhone = (tx: Tx, locationId: string, phone: string) =>
  tx.maybe<{ id: string }>(sql`
    select id from visitors where location_id = ${locationId} and phone = ${phone} and provider_type = 'sms' order by id limit 1`);
