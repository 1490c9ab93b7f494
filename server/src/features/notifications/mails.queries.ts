import type { Language } from '@portico/contract/errors.ts';
import { chosenKinds, noticeRules } from '@portico/contract/notice-kinds.ts';
import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { NotificationRow } from './notifications.queries.ts';

const ofTenant = chosenKinds.filter(kind => noticeRules[kind].ofTenant);

/** Notice `n` is still within the reach of user `u`: the user may have left the location, or have another role or fewer permissions. */
export const reachable: Sql = sql`(n.kind <> all(${ofTenant}) or u.role = 'tenant-admin')
  and (n.location_id is null or u.role = 'tenant-admin'
    or exists (select from locations l where l.id = n.location_id and l.owner_id = u.id and u.role = 'reseller')
    or exists (select from location_members m where m.location_id = n.location_id and m.user_id = u.id and u.role = 'member'
      and (n.permission is null or n.permission = any(m.permissions))
      and (m.device_ids is null or n.device_id is null or n.device_id = any(m.device_ids))))`;

/** Users with notices to be mailed at once. Under withSystem. */
export const listWaiting = (tx: Tx) =>
  tx.many<{ tenant_id: string; user_id: string }>(
    sql`select distinct tenant_id, user_id from notifications where mail_due and way = 'mail'`,
  );

export interface DueDigest {
  tenant_id: string;
  user_id: string;
  /** The local day and the moment of the last chosen hour that passed. */
  day: string;
  moment: string;
  time_zone: string;
}

/**
 * Users whose hour has passed since their first waiting notice, and who got no daily mail on that local day. Under
 * withSystem.
 */
export const listDueDigests = (tx: Tx) =>
  tx.many<DueDigest>(sql`
    -- The database may know fewer time zones than Node, and one that it does not know would end this search.
    with zones as materialized (select name from pg_timezone_names),
    waiting as (
      select tenant_id, user_id, min(created_at) as since,
        (array_agg(location_id order by id) filter (where location_id is not null))[1] as location_id
      from notifications where mail_due and way = 'digest' group by tenant_id, user_id)
    select w.tenant_id, w.user_id, d.day::text, m.moment, z.zone as time_zone
    from waiting w
    left join notice_settings s on s.tenant_id = w.tenant_id and s.user_id = w.user_id
    join tenants t on t.id = w.tenant_id
    left join locations l on l.tenant_id = w.tenant_id and l.id = w.location_id
    left join zones own on own.name = s.time_zone
    left join zones place on place.name = l.time_zone
    left join zones home on home.name = t.time_zone
    cross join lateral (select coalesce(own.name, place.name, home.name, 'UTC') as zone, make_interval(hours => coalesce(s.digest_hour, 8)) as hour) z
    cross join lateral (select ((now() at time zone z.zone) - z.hour)::date as day) d
    cross join lateral (select (d.day + z.hour) at time zone z.zone as moment) m
    where w.since < m.moment and (s.digested_on is null or s.digested_on < d.day)`);

/** True for the only process that may send the user's mail of a day. The others wait for its transaction. */
export const claimDay = async (tx: Tx, userId: string, day: string): Promise<boolean> =>
  (await tx.run(sql`
    insert into notice_settings (user_id, digested_on) values (${userId}, ${day}::date)
    on conflict (tenant_id, user_id) do update set digested_on = excluded.digested_on
    where notice_settings.digested_on is null or notice_settings.digested_on < excluded.digested_on`)) > 0;

/**
 * Whether the user `u` is a member of another location than that of the notice `n`, and perhaps works there now. A member sees one
 * location at a time, so only the list of notifications leads to the notice.
 */
export const hasOthers = sql`(u.role = 'member' and exists (select from location_members m
  where m.user_id = u.id and m.location_id is distinct from n.location_id))`;

export interface MailedNotice extends NotificationRow {
  email: string;
  language: Language;
  slug: string;
  has_others: boolean;
}

const take = (userId: string, which: Sql) => sql`
  with taken as (
    update notifications n set mail_due = false, mailed_at = now()
    where n.id in (select d.id from notifications d where d.user_id = ${userId} and d.mail_due and ${which} for update)
    returning n.*)
  select n.id, n.kind, n.data, n.location_id, n.device_id, n.read_at, n.created_at, u.email, u.language, t.slug,
    ${hasOthers} as has_others
  from taken n join users u on u.id = n.user_id join tenants t on t.id = u.tenant_id
  where u.email_confirmed_at is not null and ${reachable} order by n.id`;

/** Takes the notices of a daily mail. The user may no longer reach some of them. */
export const takeForDigest = (tx: Tx, userId: string, before: string) =>
  tx.many<MailedNotice>(take(userId, sql`d.way = 'digest' and d.created_at < ${before}::timestamptz`));

export const takeForMail = (tx: Tx, userId: string) => tx.many<MailedNotice>(take(userId, sql`d.way = 'mail'`));

/** Locks the user's waiting notices, so that two processes do not count the same mails. */
export const lockWaiting = async (tx: Tx, userId: string): Promise<boolean> =>
  (
    await tx.many(
      sql`select 1 from notifications where user_id = ${userId} and mail_due and way = 'mail' order by id for update skip locked`,
    )
  ).length > 0;

/** The mails of notices that were queued for a user in the last hour. */
export const countRecent = async (tx: Tx, userId: string): Promise<number> =>
  (
    await tx.one<{ mails: number }>(sql`
      select count(distinct mailed_at) as mails from notifications
      where user_id = ${userId} and mailed_at > now() - interval '1 hour'`)
  ).mails;

/** The waiting notices come with the next daily mail instead. */
export const putOff = (tx: Tx, userId: string) =>
  tx.run(sql`update notifications set way = 'digest' where user_id = ${userId} and mail_due and way = 'mail'`);
