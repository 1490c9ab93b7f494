import type { DataView } from '@portico/contract/guests.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The data that is stored about a guest. */

export interface OwnRow {
  id: string;
  provider_type: string;
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
    select v.id, v.provider_type, v.name, v.username, v.room_number, v.email, v.phone, v.citizen_id, v.birth_date, v.created_at, l.time_zone,
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

/** The latest sessions, open and closed. */
export const listOwnSessions = (tx: Tx, visitorId: string) =>
  tx.many<OwnSession>(sql`
    select upper(coalesce(s.mac::text, '')) as mac, s.started_at, s.ended_at, s.bytes from (
      select client_mac as mac, started_at, null::timestamptz as ended_at, upload + download as bytes
      from online_sessions where visitor_id = ${visitorId}
      union all
      (select client_mac, started_at, ended_at, upload + download from session_history
       where visitor_id = ${visitorId} order by started_at desc limit 50)) s
    order by s.started_at desc limit 50`);

/** Keeps the identity of a guest who had sessions, as the law requires. */
export const keepForLaw = (tx: Tx, visitorId: string) =>
  tx.run(sql`
    insert into erased_guests (id, location_id, identity, consents)
    select v.id, v.location_id,
      jsonb_build_object('id', v.id, 'name', v.name, 'provider_type', v.provider_type, 'phone', v.phone, 'email', v.email,
        'username', v.username, 'room_number', v.room_number, 'citizen_id', v.citizen_id, 'birth_date', v.birth_date, 'created_at', v.created_at),
      coalesce((select jsonb_agg(jsonb_build_object('version', c.version, 'language', c.language, 'agreed_at', c.created_at))
        from consents c where c.visitor_id = v.id), '[]')
    from visitors v
    where v.id = ${visitorId} and (exists (select from online_sessions s where s.visitor_id = v.id)
      or exists (select from session_history s where s.visitor_id = v.id))
    on conflict do nothing`);

/** Deletes what the law does not require and the visitor's deletion does not cascade to. */
export async function eraseTraces(tx: Tx, it: { visitorId: string; locationId: string; mac: string }): Promise<void> {
  await tx.run(sql`
    delete from survey_responses where visitor_id = ${it.visitorId}
      or (location_id = ${it.locationId} and client_mac = parse_mac(${it.mac}) and visitor_id is null)`);
  await tx.run(sql`
    delete from failed_logins where location_id = ${it.locationId}
      and (visitor_id = ${it.visitorId} or (visitor_id is null and client_mac = parse_mac(${it.mac})))`);
}

export const eraseVisitor = (tx: Tx, visitorId: string) => tx.run(sql`delete from visitors where id = ${visitorId}`);

/** Deletes what the guest added to an account that the operator created. */
export async function eraseContact(tx: Tx, it: { visitorId: string; mac: string }): Promise<void> {
  await tx.run(sql`
    update visitors set email = null, email_confirmed_at = null, phone = null, updated_at = now() where id = ${it.visitorId}`);
  await tx.run(
    sql`delete from remembered_guests where visitor_id = ${it.visitorId} and client_mac = parse_mac(${it.mac})`,
  );
}

/** Runs under withSystem. */
export const forgetErased = (tx: Tx, days: number) =>
  tx.run(sql`delete from erased_guests where erased_at < now() - make_interval(days => ${days})`);
