import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Erasure of a visitor at the guest's request on the portal. */

/** Keeps the identity, which the law requires for visitors with sessions. */
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
      or exists (select from session_history s where s.visitor_id = v.id)
      -- Of the archive, the days on which the guest began or used a session tell.
      or exists (select from visitor_days d join session_archives a on a.state = 'archived'
          and d.day between a.month - 1 and (a.last_ended_at at time zone 'UTC')::date + 1
        where d.visitor_id = v.id))
    on conflict do nothing`);

export const eraseVisitor = (tx: Tx, visitorId: string) => tx.run(sql`delete from visitors where id = ${visitorId}`);

/** Removes what the guest added to an account that an operator created; the account itself stays. */
export const eraseContact = (tx: Tx, visitorId: string) =>
  tx.run(sql`
    update visitors set email = null, email_confirmed_at = null, phone = null, updated_at = now() where id = ${visitorId}`);

/** Runs under withSystem. */
export const forgetErased = (tx: Tx, days: number) =>
  tx.run(sql`delete from erased_guests where erased_at < now() - make_interval(days => ${days})`);
