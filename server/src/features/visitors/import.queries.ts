import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { VisitorValues } from './visitors.queries.ts';

/** Converts local times of a location to moments, in the same order. */
export async function momentsAt(tx: Tx, locationId: string, times: readonly string[]): Promise<string[]> {
  if (!times.length) return [];
  const rows = await tx.many<{ moment: string }>(sql`
    select to_char((t.local::timestamp at time zone l.time_zone) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as moment
    from unnest(${times}::text[]) with ordinality as t(local, n), locations l where l.id = ${locationId} order by t.n`);
  return rows.map(row => row.moment);
}

/** Adds days to a moment and keeps the local time. Days of a clock change have 23 or 25 hours. */
export async function daysLater(tx: Tx, locationId: string, moment: string, days: number): Promise<string> {
  const { later } = await tx.one<{ later: string }>(sql`
    select to_char(((${moment}::timestamptz at time zone l.time_zone) + make_interval(days => ${days})) at time zone l.time_zone
      at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as later
    from locations l where l.id = ${locationId}`);
  return later;
}

/** The usernames and hashes of identity numbers (hex) that are already in use at a location. */
export async function inUse(
  tx: Tx,
  locationId: string,
  it: { usernames: readonly string[]; citizens: readonly string[] },
): Promise<{ usernames: Set<string>; citizens: Set<string> }> {
  const [names, citizens] = await Promise.all([
    tx.many<{ username: string }>(sql`
      select username from visitors where location_id = ${locationId} and username = any(${it.usernames}::text[])`),
    tx.many<{ hash: string }>(sql`
      select encode(citizen_id_hash, 'hex') as hash from visitors
      where location_id = ${locationId} and citizen_id_hash in (select decode(x, 'hex') from unnest(${it.citizens}::text[]) x)`),
  ]);
  return { usernames: new Set(names.map(row => row.username)), citizens: new Set(citizens.map(row => row.hash)) };
}

/** Inserts visitors and returns their number. Skips those that a concurrent request has created. */
export async function insertImported(
  tx: Tx,
  locationId: string,
  people: readonly (VisitorValues & { id: string })[],
): Promise<number> {
  const rows = JSON.stringify(people.map(it => ({ ...it, citizen_id_hash: it.citizen_id_hash?.toString('hex') })));
  return (
    await tx.many(sql`
      insert into visitors (id, location_id, name, provider_type, profile_id, special_profile, shared_user, session_duration, max_upload,
        max_download, session_start_at, session_end_at, total_paid_day, email, phone, username, password, citizen_id, citizen_id_hash,
        room_number, birth_date, made_by_staff)
      select id, ${locationId}::uuid, name, provider_type, profile_id, special_profile, shared_user, session_duration, max_upload,
        max_download, session_start_at, session_end_at, total_paid_day, email, phone, username, password, citizen_id,
        decode(citizen_id_hash, 'hex'), room_number, birth_date, true
      from jsonb_to_recordset(${rows}::jsonb) as x(id uuid, name text, provider_type text, profile_id uuid, special_profile boolean,
        shared_user int, session_duration jsonb, max_upload jsonb, max_download jsonb, session_start_at timestamptz,
        session_end_at timestamptz, total_paid_day int, email text, phone text, username text, password text, citizen_id text,
        citizen_id_hash text, room_number text, birth_date text)
      on conflict do nothing returning id`)
  ).length;
}
