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
  /** The session profile by the guest's VIP or rate code; undefined: the hotel system does not decide about it. */
  readonly profile_id?: string | null;
}

const unlimited = { is_active: false, option: 'day', value: 1 };
const unlimitedSpeed = { is_active: false, option: 'mbps', value: 1 };

/** A report of a hotel system about its guests. */
export interface Report {
  readonly integrationId: string;
  readonly locationId: string;
  readonly zone: string;
  /** Guests missing from a report of all guests have left. */
  readonly isComplete: boolean;
}

/**
 * Creates and updates the guests that a hotel system reports. Returns the guests whose end or profile changed, so that running
 * sessions can follow.
 */
export async function applyStays(tx: Tx, it: Report, stays: readonly Stay[]): Promise<string[]> {
  const ids = stays.map(stay => stay.external_id);
  const before = await tx.many<{ id: string; session_end_at: string | null; profile_id: string | null }>(sql`
    select id, session_end_at, profile_id from visitors
    where integration_id = ${it.integrationId} and external_id = any(${ids}) order by id for update`);
  const rows = stays.map(stay => ({ ...stay, sets_profile: stay.profile_id !== undefined }));
  const after = await tx.many<{ id: string; session_end_at: string | null; profile_id: string | null }>(sql`
    insert into visitors (id, location_id, integration_id, external_id, provider_type, name, room_number, birth_date, citizen_id, email, phone,
      session_start_at, session_end_at, session_duration, max_upload, max_download, profile_id)
    select new_id(), ${it.locationId}, ${it.integrationId}, s.external_id, 'room-number', s.name, s.room_number, s.birth_date, s.citizen_id, s.email, s.phone,
      s.starts::timestamp at time zone ${it.zone}, s.ends::timestamp at time zone ${it.zone}, ${unlimited}, ${unlimitedSpeed}, ${unlimitedSpeed}, p.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as s(external_id text, name text, room_number text, birth_date text, citizen_id text, email text, phone text, starts text, ends text,
        profile_id uuid, sets_profile boolean)
      left join profiles p on p.id = s.profile_id and p.location_id = ${it.locationId}
    on conflict (tenant_id, integration_id, external_id) where integration_id is not null do update set
      name = excluded.name, room_number = excluded.room_number, email = coalesce(excluded.email, visitors.email),
      phone = coalesce(excluded.phone, visitors.phone),
      birth_date = coalesce(visitors.birth_date, excluded.birth_date), citizen_id = coalesce(visitors.citizen_id, excluded.citizen_id),
      session_start_at = excluded.session_start_at, session_end_at = excluded.session_end_at,
      profile_id = case when excluded.external_id = any(${rows.filter(row => row.sets_profile).map(row => row.external_id)})
        then excluded.profile_id else visitors.profile_id end,
      updated_at = now()
    where (visitors.name, visitors.room_number, visitors.email, visitors.phone, visitors.session_start_at, visitors.session_end_at)
        is distinct from (excluded.name, excluded.room_number, excluded.email, excluded.phone, excluded.session_start_at, excluded.session_end_at)
      or visitors.birth_date is null and excluded.birth_date is not null or visitors.citizen_id is null and excluded.citizen_id is not null
      or excluded.external_id = any(${rows.filter(row => row.sets_profile).map(row => row.external_id)})
        and visitors.profile_id is distinct from excluded.profile_id
    returning id, session_end_at, profile_id`);
  if (it.isComplete) await endMissing(tx, it.integrationId, ids);
  const known = new Map(before.map(row => [row.id, row]));
  return after
    .filter(row => {
      const old = known.get(row.id);
      return old && (old.session_end_at !== row.session_end_at || old.profile_id !== row.profile_id);
    })
    .map(row => row.id);
}

const endMissing = (tx: Tx, integrationId: string, externalIds: readonly string[]) =>
  tx.run(sql`
    update visitors set session_end_at = now(), updated_at = now()
    where integration_id = ${integrationId} and session_end_at > now() and external_id <> all(${externalIds})`);

/** Ends the access of hotel guests who have checked out. */
export const endHotelGuests = (tx: Tx, ids: readonly string[]) =>
  tx.run(sql`
    update visitors set session_end_at = now(), updated_at = now()
    where id = any(${ids}) and (session_end_at is null or session_end_at > now())`);
