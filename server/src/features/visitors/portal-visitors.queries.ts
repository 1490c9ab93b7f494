import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors that the captive portal creates and changes when guests sign in. */

const noLimit = (option: string) => ({ is_active: false, option, value: 1 });

export interface NewGuest {
  readonly locationId: string;
  readonly deviceId: string;
  readonly provider: string;
  readonly name: string;
  readonly phone?: string;
  readonly email?: string;
  /** Encrypted, like the birth date. */
  readonly citizenId?: string;
  readonly citizenHash?: Buffer;
  readonly birthDate?: string;
}

/** Creates a visitor on the portal, unless a concurrent request has just done so. */
export const insertGuest = (tx: Tx, id: string, it: NewGuest) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, phone, email, citizen_id, citizen_id_hash, birth_date,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, ${it.provider}, ${it.name}, ${it.phone ?? null}, ${it.email ?? null},
      ${it.citizenId ?? null}, ${it.citizenHash ?? null}, ${it.birthDate ?? null}, ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})
    on conflict do nothing`);

/**
 * Creates the visitor of an OpenID account, which counts as a guest with an e-mail address. The one before was moved to another
 * location, where this provider signs in no guests, and gives the account up.
 */
export async function insertBySubject(
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
): Promise<void> {
  await tx.run(sql`
    update visitors set integration_id = null, external_id = null
    where integration_id = ${it.integrationId} and external_id = ${it.externalId} and location_id <> ${it.locationId}`);
  await tx.run(sql`
    insert into visitors (id, location_id, device_id, integration_id, external_id, provider_type, name, email,
      session_duration, max_upload, max_download)
    values (${id}, ${it.locationId}, ${it.deviceId}, ${it.integrationId}, ${it.externalId}, 'email', ${it.name}, ${it.email},
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})
    on conflict do nothing`);
}

/** Stores a guest's contact data, without replacing what the visitor already has. */
export const keepContact = (tx: Tx, visitorId: string, it: { email: string | null; phone: string | null }) =>
  tx.run(sql`
    update visitors set email = coalesce(email, ${it.email}), phone = coalesce(phone, ${it.phone}), updated_at = now()
    where id = ${visitorId} and ((email is null and ${it.email}::text is not null) or (phone is null and ${it.phone}::text is not null))`);

/** Identifies a visitor with free access. */
export interface FreeAccount {
  readonly locationId: string;
  readonly provider: 'temp' | 'email';
  readonly mac: string;
}

export interface Terms {
  readonly profileId: string | null;
  /** Null if only the operator ends the access. */
  readonly seconds: number | null;
}

const endOf = ({ seconds }: Terms) => sql`now() + make_interval(secs => ${seconds}::int)`;

export const insertFree = (
  tx: Tx,
  id: string,
  account: FreeAccount,
  it: Terms & { readonly deviceId: string; readonly name: string; readonly email: string | null },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, portal_mac, name, email, profile_id, session_start_at, session_end_at,
      session_duration, max_upload, max_download)
    values (${id}, ${account.locationId}, ${it.deviceId}, ${account.provider}, parse_mac(${account.mac}), ${it.name}, ${it.email}, ${it.profileId}, now(), ${endOf(it)},
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')})`);

export const startAgain = (tx: Tx, id: string, it: Terms) =>
  tx.run(sql`
    update visitors set profile_id = ${it.profileId}, session_start_at = now(), session_end_at = ${endOf(it)}, updated_at = now()
    where id = ${id}`);

/** A changed address has to be confirmed again. */
export const changeAddress = (tx: Tx, id: string, email: string) =>
  tx.run(sql`
    update visitors set name = case when name = email then ${email} else name end, email = ${email}, email_confirmed_at = null, updated_at = now()
    where id = ${id}`);

export const confirmVisitorEmail = (tx: Tx, visitorId: string, email: string) =>
  tx.run(sql`update visitors set email_confirmed_at = now() where id = ${visitorId} and lower(email) = ${email}`);
