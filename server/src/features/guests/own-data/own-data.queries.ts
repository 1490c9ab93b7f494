import type { DataView } from '@portico/contract/guests.ts';
import sql, { empty } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { archivedRows } from '#features/sessions/public.ts';

/** The data that is stored about a guest. */

export interface OwnRow {
  id: string;
  provider_type: string;
  made_by_staff: boolean;
  name: string;
  username: string | null;
  room_number: string | null;
  email: string | null;
  phone: string | null;
  /** Encrypted. */
  citizen_id: string | null;
  birth_date: string | null;
  created_at: string;
  time_zone: string;
  responses: number;
  remembered: number;
  consents: DataView['consents'];
}

export const findOwn = (tx: Tx, visitorId: string, locationId: string) =>
  tx.maybe<OwnRow>(sql`
    select v.id, v.provider_type, v.made_by_staff, v.name, v.username, v.room_number, v.email, v.phone, v.citizen_id, v.birth_date, v.created_at, l.time_zone,
      (select count(*) from survey_responses r where r.visitor_id = v.id and r.answers is not null) as responses,
      (select count(*) from remembered_guests r where r.visitor_id = v.id) as remembered,
      coalesce((select json_agg(json_build_object('at', c.created_at, 'language', c.language) order by c.created_at desc)
        from (select * from consents c where c.visitor_id = v.id order by c.created_at desc limit 50) c), '[]') as consents
    from visitors v join locations l on l.id = v.location_id
    where v.id = ${visitorId} and v.location_id = ${locationId}`);

export interface OwnSession {
  mac: string;
  started_at: string;
  ended_at: string | null;
  bytes: number;
}

/** How many sessions of a guest are shown. */
export const shownSessions = 50;

/** The latest sessions: open, closed, and those that the archive found. */
export const listOwnSessions = (tx: Tx, visitorId: string, archived: readonly object[]) =>
  tx.many<OwnSession>(sql`
    select upper(coalesce(s.mac::text, '')) as mac, s.started_at, s.ended_at, s.bytes from (
      select client_mac as mac, started_at, null::timestamptz as ended_at, upload + download as bytes
      from online_sessions where visitor_id = ${visitorId}
      union all
      (select client_mac, started_at, ended_at, upload + download from session_history
       where visitor_id = ${visitorId} order by started_at desc limit ${shownSessions})
      union all
      (select client_mac, started_at, ended_at, upload + download from imported_sessions
       where visitor_id = ${visitorId} order by started_at desc limit ${shownSessions})
      union all
      -- Those that came while the visitor was created have only its name.
      (select s.client_mac, s.started_at, s.ended_at, s.upload + s.download from visitors v
       join imported_sessions s on s.location_id = v.location_id and s.user_name = v.username and s.visitor_id is null
       where v.id = ${visitorId} order by s.started_at desc limit ${shownSessions})
      ${
        archived.length > 0
          ? sql`union all select client_mac, started_at, ended_at, upload + download from ${archivedRows(archived)}`
          : empty
      }) s
    order by s.started_at desc limit ${shownSessions}`);
