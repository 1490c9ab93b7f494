import type { NoticeWay } from '@portico/contract/notice-kinds.ts';
import type { NoticeKind } from '@portico/contract/notifications.ts';
import type { Permission } from '@portico/contract/permissions.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import { andVisible } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';

export interface NotificationRow {
  id: string;
  kind: NoticeKind;
  data: Record<string, string | number>;
  location_id: string | null;
  device_id: string | null;
  read_at: string | null;
  created_at: string;
}

/** An entry of the bell: one notice, or those of several devices. It has the id of the newest. */
export interface EntryRow extends NotificationRow {
  devices: number;
  location_ids: string[];
  /** The data of a few of its notices, by name of the device. */
  examples: NotificationRow['data'][];
}

/** The receivers: named users, the tenant's administrators, or those who manage a location, and its members with the permission of the kind. */
export type Receivers =
  | { readonly users: readonly string[] }
  | { readonly tenant: 'admins' }
  | { readonly location: string; readonly deviceId?: string | null | undefined };

function receivers(to: Receivers, permission: Permission | null, locationId: string | null): Sql {
  if ('users' in to)
    return permission === null || locationId === null
      ? sql`u.id = any(${to.users})`
      : sql`u.id = any(${to.users}) and (u.role <> 'member' or exists (
          select from location_members m where m.user_id = u.id and m.location_id = ${locationId} and ${permission} = any(m.permissions)))`;
  if ('tenant' in to) return sql`u.role = 'tenant-admin'`;
  // A location without an owner belongs to the tenant's administrators.
  return sql`exists (select from locations l where l.id = ${to.location}
      and case when l.owner_id is null then u.role = 'tenant-admin' else u.id = l.owner_id and u.role <> 'member' end)
    or u.id in (select m.user_id from location_members m where m.location_id = ${to.location} and ${permission} = any(m.permissions)
      and (m.device_ids is null or ${to.deviceId ?? null}::uuid is null or ${to.deviceId ?? null}::uuid = any(m.device_ids)))`;
}

/** The devices of an outage are noticed within this time of each other. */
const togetherMinutes = 10;
const newestLooked = 200;
/** With row level security, PostgreSQL uses no index of a `coalesce`. */
const entry = sql`case when n.collected_under is null then n.id else n.collected_under end`;

/** A receiver of a notice, and how the user chose to receive its kind. */
export interface Notified {
  userId: string;
  way: NoticeWay;
}

/**
 * Returns the notified users. Skips users who were notified with the same `once` before. Notices that are off are kept only
 * for their key, as read, so that a change of the choice does not repeat them.
 */
export const insertNotifications = (
  tx: Tx,
  to: Receivers,
  notice: {
    kind: NoticeKind;
    data: object;
    locationId: string | null;
    deviceId: string | null;
    once: string | null;
    way: NoticeWay;
    /** A member needs it at the location, to receive the notice and to see it later. */
    permission: Permission | null;
    /** The caller writes the mail of `mail` itself. */
    ownMail: boolean;
    /** Shares the entry of an unread notice of this kind that came shortly before. */
    collects: boolean;
  },
): Promise<Notified[]> =>
  tx.many<Notified>(sql`
    with made as (
    insert into notifications (id, user_id, location_id, device_id, permission, kind, data, dedupe_key, way, mail_due, read_at, collected_under)
    select new_id(), u.id, ${notice.locationId}::uuid, ${notice.deviceId}::uuid, ${notice.locationId === null ? null : notice.permission}, ${notice.kind}, ${notice.data}::jsonb, ${notice.once},
      c.way, c.way = 'digest' or (c.way = 'mail' and not ${notice.ownMail}), case when c.way = 'off' then now() end, e.entry
    from users u
    left join notice_settings s on s.user_id = u.id
    left join notice_location_ways w on w.user_id = u.id and w.location_id = ${notice.locationId}::uuid
    cross join lateral (select coalesce(w.ways->>${notice.kind}, s.ways->>${notice.kind}, ${notice.way}) as way) c
    left join lateral (
      select ${entry} as entry
      from (select * from notifications where user_id = u.id order by id desc limit ${newestLooked}) n
      where ${notice.collects}::boolean and c.way <> 'off' and n.way <> 'off' and n.kind = ${notice.kind} and n.read_at is null
        and n.created_at > now() - make_interval(mins => ${togetherMinutes})
      order by n.id desc limit 1) e on true
    where (${receivers(to, notice.permission, notice.locationId)}) and (c.way <> 'off' or ${notice.once}::text is not null)
    on conflict (tenant_id, user_id, dedupe_key) where dedupe_key is not null do nothing
    returning id, user_id, way),
    pushed as (
      insert into push_notices (browser_id, notification_id)
      select b.id, m.id from made m join push_browsers b on b.user_id = m.user_id where m.way = 'push'
      -- A browser that is turned off meanwhile is left out.
      for key share of b)
    select user_id as "userId", way from made`);

/** Notifies the screens of a tenant, or of a location, of a changed topic. They receive it after the commit. */
export const announce = (tx: Tx, topic: string, locationId: string | null) =>
  tx.run(sql`select pg_notify('portico',
    json_build_object('tenant', current_tenant(), 'location', ${locationId}::uuid, 'topic', ${topic}::text)::text)`);

/** With more locations, a notice is for the whole tenant. */
const maxLocations = 20;
/** Changes in one notice, which has at most 8,000 bytes. */
const perNotice = 50;

/** Notifies the screens of many locations of a changed topic, in few notices. `changed` gives `tenant_id` and `location_id`; runs under withSystem. */
export const announceLocations = (tx: Tx, topic: string, changed: Sql) =>
  tx.run(sql`
    with changed as (${changed}), told as (
      select t.tenant_id, l.location_id, (row_number() over () - 1) / ${perNotice}::int as notice
      from (
        select tenant_id, case when count(*) > ${maxLocations} then array[null::uuid] else array_agg(location_id) end as locations
        from (select distinct tenant_id, location_id from changed) c group by tenant_id) t
      cross join unnest(t.locations) l (location_id)
    )
    select pg_notify('portico', jsonb_agg(jsonb_build_object('tenant', tenant_id, 'location', location_id, 'topic', ${topic}::text))::text)
    from told group by notice`);

/** Hides notices of locations that the user left, of devices out of their reach, and those that need a permission that they lost. */
function own(actor: Actor): Sql {
  const limits = actor.memberships.filter(m => m.deviceIds);
  const devices = limits.length
    ? sql`and (n.device_id is null or n.location_id <> all(${limits.map(m => m.locationId)})
        or n.device_id = any(${limits.flatMap(m => m.deviceIds ?? [])}))`
    : empty;
  const permitted =
    actor.role === 'member'
      ? sql`and (n.permission is null or exists (
        select from location_members m where m.location_id = n.location_id and m.user_id = n.user_id and n.permission = any(m.permissions)))`
      : empty;
  return sql`n.user_id = ${actor.userId} and n.way <> 'off' and (n.location_id is null or exists (
    select 1 from locations l where l.id = n.location_id ${andVisible(actor)})) ${devices} ${permitted}`;
}

/** How many devices an entry names. */
const named = 5;
/** How many locations its link names: an address has about 8,000 characters at most. */
export const linkedLocations = 100;

const entries = (where: Sql) => sql`
  select (array_agg(n.id order by n.id desc))[1] as id, n.kind, (array_agg(n.data order by n.id desc))[1] as data,
    (array_agg(n.data order by ${nameOrder(sql`n.data->>'device'`)}, n.id))[1:${named}::int] as examples, count(distinct coalesce(n.device_id, n.id)) as devices,
    case when count(distinct n.location_id) = 1 then (array_agg(n.location_id))[1] end as location_id,
    coalesce((array_agg(distinct n.location_id) filter (where n.location_id is not null))[1:${linkedLocations}::int], '{}') as location_ids,
    case when count(distinct n.device_id) = 1 then (array_agg(n.device_id))[1] end as device_id,
    case when bool_and(n.read_at is not null) then max(n.read_at) end as read_at, max(n.created_at) as created_at
  from notifications n where ${where} group by ${entry}, n.kind`;

export async function listNotifications(
  tx: Tx,
  actor: Actor,
  filter: { page: number; per_page: number; unread?: boolean | undefined },
): Promise<Rows<EntryRow> & { unread: number }> {
  const where = sql`${own(actor)} ${filter.unread ? sql`and n.read_at is null` : empty}`;
  const [rows, { total }, unread] = await Promise.all([
    // The newest notices of the entries are found by indexes, so only the entries of the page are read.
    tx.many<EntryRow>(sql`
      with visible as not materialized (select n.id, ${entry} as entry from notifications n where ${where}),
      page as (
        select v.entry from visible v
        where not exists (select from visible newer where newer.entry = v.entry and newer.id > v.id)
        order by v.id desc limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page})
      ${entries(sql`${where} and ${entry} in (select entry from page)`)} order by 1 desc`),
    tx.one<{ total: number }>(sql`select count(distinct ${entry}) as total from notifications n where ${where}`),
    countUnread(tx, actor),
  ]);
  return { rows, total, unread };
}

export const countUnread = async (tx: Tx, actor: Actor): Promise<number> =>
  (
    await tx.one<{ unread: number }>(
      sql`select count(distinct ${entry}) as unread from notifications n where ${own(actor)} and n.read_at is null`,
    )
  ).unread;

/** Marks an entry as its reader saw it: a device that joined it since stays unread. */
export async function markRead(tx: Tx, actor: Actor, id: string): Promise<EntryRow | undefined> {
  const seen = sql`n.id <= ${id} and ${own(actor)}
    and ${entry} = (select ${entry} from notifications n where n.id = ${id} and ${own(actor)})`;
  await tx.run(sql`update notifications n set read_at = now() where n.read_at is null and ${seen}`);
  return tx.maybe<EntryRow>(entries(seen));
}

/** Without `until`, all of them. A notice that the reader has not seen yet has a larger id. */
export const markAllRead = (tx: Tx, actor: Actor, until: string | undefined) =>
  tx.run(sql`
    update notifications n set read_at = now()
    where n.read_at is null and ${own(actor)} ${until ? sql`and n.id <= ${until}` : empty}`);

/** Keeps read notifications for a year and unread ones for two. Runs under withSystem. */
export const deleteOldNotifications = (tx: Tx) =>
  tx.run(
    sql`delete from notifications where created_at < now() - case when read_at is null then interval '2 years' else interval '1 year' end`,
  );
