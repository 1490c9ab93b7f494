import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Erases visitors who have not visited for a long time. All functions work across tenants. */

export interface Retention {
  /** Days after which a visitor is erased. */
  readonly days: number;
  /** Days for which the law requires the identity of the guest of a session. */
  readonly lawDays: number;
  readonly limit: number;
}

/** Erases the personal data of some visitors and returns their number. Their rows stay, for sessions and counts. */
export async function eraseIdle(tx: Tx, { days, lawDays, limit }: Retention): Promise<number> {
  const before = sql`(now() - make_interval(days => ${days}))`;
  const idle = await tx.many<{ tenant_id: string; id: string }>(sql`
    select v.tenant_id, v.id from visitors v
    where v.erased_at is null and v.updated_at < ${before} and greatest(v.session_start_at, v.session_end_at, v.updated_at) < ${before}
      and not exists (select from visitor_days d
        where d.tenant_id = v.tenant_id and d.visitor_id = v.id and d.day >= ${before}::date)
      and not exists (select from online_sessions s where s.tenant_id = v.tenant_id and s.visitor_id = v.id)
    order by v.updated_at limit ${limit} for update of v skip locked`);
  if (idle.length === 0) return 0;
  const keys = sql`select * from unnest(${idle.map(it => it.tenant_id)}::uuid[], ${idle.map(it => it.id)}::uuid[])`;

  // Dated by the last visit, because the legal retention period begins there.
  await tx.run(sql`
    insert into erased_guests (tenant_id, id, location_id, identity, consents, erased_at)
    select v.tenant_id, v.id, v.location_id,
      jsonb_build_object('id', v.id, 'name', v.name, 'provider_type', v.provider_type, 'phone', v.phone, 'email', v.email,
        'username', v.username, 'room_number', v.room_number, 'citizen_id', v.citizen_id, 'birth_date', v.birth_date, 'created_at', v.created_at),
      coalesce((select jsonb_agg(jsonb_build_object('version', c.version, 'language', c.language, 'agreed_at', c.created_at))
        from consents c where c.tenant_id = v.tenant_id and c.visitor_id = v.id), '[]'), s.last_at
    from visitors v cross join lateral (
      -- Of the archive, the last day on which the visitor used a session tells.
      select greatest(
        (select max(h.ended_at) from session_history h where h.tenant_id = v.tenant_id and h.visitor_id = v.id),
        (select max(d.day + 1)::timestamp at time zone 'UTC' from visitor_days d join session_archives a on a.state = 'archived'
           and d.day between a.month - 1 and (a.last_ended_at at time zone 'UTC')::date + 1
         where d.tenant_id = v.tenant_id and d.visitor_id = v.id)) as last_at) s
    where (v.tenant_id, v.id) in (${keys}) and s.last_at > now() - make_interval(days => ${lawDays})
    on conflict do nothing`);
  await tx.run(sql`delete from remembered_guests where (tenant_id, visitor_id) in (${keys})`);
  await tx.run(sql`delete from email_confirmations where (tenant_id, visitor_id) in (${keys})`);
  // The counts of answers stay. Free text could identify its author.
  await tx.run(sql`delete from survey_responses where (tenant_id, visitor_id) in (${keys})`);
  await tx.run(
    sql`update purchases set email = null, phone = null, client_mac = null where (tenant_id, visitor_id) in (${keys})`,
  );
  await tx.run(
    sql`update failed_logins set params = null, typed_hash = null where (tenant_id, visitor_id) in (${keys})`,
  );
  // The first consent to each version stays, without the device.
  await tx.run(sql`
    delete from consents c using consents first where (c.tenant_id, c.visitor_id) in (${keys})
      and (first.tenant_id, first.visitor_id, first.version) = (c.tenant_id, c.visitor_id, c.version)
      and (first.created_at, first.client_mac) < (c.created_at, c.client_mac)`);
  await tx.run(sql`update consents set client_mac = '00:00:00:00:00:00' where (tenant_id, visitor_id) in (${keys})`);
  // Routers that authenticate guests themselves report the username in their sessions.
  await tx.run(
    sql`update session_history set user_name = '' where (tenant_id, visitor_id) in (${keys}) and user_name <> ''`,
  );
  await tx.run(sql`
    insert into session_archive_erasures (tenant_id, visitor_id)
    select * from unnest(${idle.map(it => it.tenant_id)}::uuid[], ${idle.map(it => it.id)}::uuid[])
    where exists (select from session_archives) on conflict do nothing`);
  return tx.run(sql`
    update visitors set name = '', username = null, password = null, citizen_id = null, citizen_id_hash = null, room_number = null,
      birth_date = null, email = null, email_confirmed_at = null, phone = null, portal_mac = null, external_id = null,
      erased_at = now(), updated_at = now()
    where (tenant_id, id) in (${keys})`);
}
