import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Stay {
  readonly external_id: string;
  readonly name: string;
  readonly room_number: string;
  /** Encrypted. */
  readonly birth_date: string | null;
  readonly citizen_id: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Local times at the location. */
  readonly starts: string;
  readonly ends: string;
}

const unlimited = { is_active: false, option: 'day', value: 1 };
const unlimitedSpeed = { is_active: false, option: 'mbps', value: 1 };

/** Creates and updates the guests that a hotel system reports. Guests missing from the report have left. */
export async function applyStays(
  tx: Tx,
  it: { integrationId: string; locationId: string; zone: string },
  stays: readonly Stay[],
): Promise<void> {
  await tx.run(sql`
    insert into visitors (id, location_id, integration_id, external_id, provider_type, name, room_number, birth_date, citizen_id, email, phone,
      session_start_at, session_end_at, session_duration, max_upload, max_download)
    select new_id(), ${it.locationId}, ${it.integrationId}, s.external_id, 'room-number', s.name, s.room_number, s.birth_date, s.citizen_id, s.email, s.phone,
      s.starts::timestamp at time zone ${it.zone}, s.ends::timestamp at time zone ${it.zone}, ${unlimited}, ${unlimitedSpeed}, ${unlimitedSpeed}
    from jsonb_to_recordset(${JSON.stringify(stays)}::jsonb)
      as s(external_id text, name text, room_number text, birth_date text, citizen_id text, email text, phone text, starts text, ends text)
    on conflict (tenant_id, integration_id, external_id) where integration_id is not null do update set
      name = excluded.name, room_number = excluded.room_number, email = coalesce(excluded.email, visitors.email),
      phone = coalesce(excluded.phone, visitors.phone),
      session_start_at = excluded.session_start_at, session_end_at = excluded.session_end_at, updated_at = now()
    where (visitors.name, visitors.room_number, visitors.email, visitors.phone, visitors.session_start_at, visitors.session_end_at)
      is distinct from (excluded.name, excluded.room_number, excluded.email, excluded.phone, excluded.session_start_at, excluded.session_end_at)`);
  await tx.run(sql`
    update visitors set session_end_at = now(), updated_at = now()
    where integration_id = ${it.integrationId} and session_end_at > now() and external_id <> all(${stays.map(stay => stay.external_id)})`);
}
