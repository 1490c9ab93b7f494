import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors that the captive portal creates and changes when a guest signs in. */

const noLimit = (option: string) => ({ is_active: false, option, value: 1 });

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

/** A visitor that registers on the portal. Nothing happens when another request has just created the same one. */
export const insertGuest = (tx: Tx, id: string, it: NewGuest) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, phone, email, citizen_id, citizen_id_hash, birth_date,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, ${it.provider}, ${it.name}, ${it.phone ?? null}, ${it.email ?? null},
      ${it.citizenId ?? null}, ${it.citizenHash ?? null}, ${it.birthDate ?? null}, ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})
    on conflict do nothing`);

/** A visitor that signs in with an account elsewhere counts as one with an e-mail address. */
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

/** Adds contact details that the guest entered; values that exist already stay. */
export const keepContact = (tx: Tx, visitorId: string, it: { email: string | null; phone: string | null }) =>
  tx.run(sql`
    update visitors set email = coalesce(email, ${it.email}), phone = coalesce(phone, ${it.phone}), updated_at = now()
    where id = ${visitorId} and ((email is null and ${it.email}::text is not null) or (phone is null and ${it.phone}::text is not null))`);

export interface FreeAccess {
  readonly locationId: string;
  readonly provider: 'temp' | 'email';
  readonly mac: string;
}

export interface FreePeriod {
  readonly profileId: string | null;
  /** Null: until the operator ends it. */
  readonly seconds: number | null;
}

const endOf = ({ seconds }: FreePeriod) => sql`now() + make_interval(secs => ${seconds}::int)`;

export const insertFree = (
  tx: Tx,
  id: string,
  of: FreeAccess,
  it: FreePeriod & { readonly deviceId: string; readonly name: string; readonly email: string | null },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, portal_mac, name, email, profile_id, session_start_at, session_end_at,
      session_duration, max_upload, max_download)
    values (${id}, ${of.locationId}, ${it.deviceId}, ${of.provider}, parse_mac(${of.mac}), ${it.name}, ${it.email}, ${it.profileId}, now(), ${endOf(it)},
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})`);

export const startAgain = (tx: Tx, id: string, it: FreePeriod) =>
  tx.run(sql`
    update visitors set profile_id = ${it.profileId}, session_start_at = now(), session_end_at = ${endOf(it)}, updated_at = now()
    where id = ${id}`);

/** A new address has to be confirmed again. */
export const changeAddress = (tx: Tx, id: string, email: string) =>
  tx.run(sql`
    update visitors set name = case when name = email then ${email} else name end, email = ${email}, email_confirmed_at = null, updated_at = now()
    where id = ${id}`);

export const confirmVisitorEmail = (tx: Tx, visitorId: string, email: string) =>
  tx.run(sql`update visitors set email_confirmed_at = now() where id = ${visitorId} and lower(email) = ${email}`);
