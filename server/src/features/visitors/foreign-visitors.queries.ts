import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** A visitor with a user name, from another program. `password` is encrypted. */
export interface ImportedVisitor {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly profile_id: string | null;
  readonly special_profile: boolean;
  readonly shared_user: number;
  readonly session_duration: object;
  readonly max_upload: object;
  readonly max_download: object;
  readonly session_start_at: string | null;
  readonly session_end_at: string | null;
  readonly blocked: boolean;
}

const recordset = (people: readonly ImportedVisitor[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as x(id uuid, name text, username text, password text, email text, phone text,
    profile_id uuid, special_profile boolean, shared_user int, session_duration jsonb, max_upload jsonb, max_download jsonb,
    session_start_at timestamptz, session_end_at timestamptz, blocked boolean)`;

/** Creates visitors, except those whose user name is in use. Returns the user names of the created ones. */
export async function insertForeign(
  tx: Tx,
  locationId: string,
  people: readonly ImportedVisitor[],
): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const rows = await tx.many<{ username: string }>(sql`
    insert into visitors (id, location_id, provider_type, name, username, password, email, phone, profile_id, special_profile,
      shared_user, session_duration, max_upload, max_download, session_start_at, session_end_at, blocked, made_by_staff)
    select id, ${locationId}::uuid, 'username', name, username, password, email, phone, profile_id, special_profile,
      shared_user, session_duration, max_upload, max_download, session_start_at, session_end_at, blocked, true
    from ${recordset(people)}
    on conflict do nothing returning username`);
  return new Set(rows.map(row => row.username));
}

/**
 * Changes visitors that sign in with these user names. Their passwords stay, and whether they are paused. Returns the user
 * names of those with a difference.
 */
export async function updateForeign(
  tx: Tx,
  locationId: string,
  people: readonly ImportedVisitor[],
): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const rows = await tx.many<{ username: string }>(sql`
    update visitors v set name = x.name, email = x.email, phone = x.phone, profile_id = x.profile_id, special_profile = x.special_profile,
      shared_user = x.shared_user, session_duration = x.session_duration, max_upload = x.max_upload, max_download = x.max_download,
      session_start_at = x.session_start_at, session_end_at = x.session_end_at, updated_at = now()
    from ${recordset(people)}
    where v.location_id = ${locationId} and v.username = x.username and v.provider_type = 'username' and v.erased_at is null
      and (v.name, v.email, v.phone, v.profile_id, v.special_profile, v.shared_user, v.session_duration, v.max_upload, v.max_download,
        v.session_start_at, v.session_end_at)
      is distinct from (x.name, x.email, x.phone, x.profile_id, x.special_profile, x.shared_user, x.session_duration, x.max_upload,
        x.max_download, x.session_start_at, x.session_end_at)
    returning v.username`);
  return new Set(rows.map(row => row.username));
}
