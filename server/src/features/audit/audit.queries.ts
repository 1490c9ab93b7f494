import type { AuditEntry } from '@portico/contract/audit.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { contains, textMatches } from '#db/list.ts';
import { andLocation } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { type Actor, isLimited, may } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';
import type { Rights } from '#http/rights.ts';

export interface NewEntry {
  readonly id: string;
  /** Null: a person without an account, known by e-mail address. */
  readonly userId: string | null;
  readonly email: string | null;
  readonly ip: string | null;
  readonly verb: string;
  readonly subject: { readonly type: string; readonly id?: string | null; readonly name: string };
  readonly locationId?: string | null;
  readonly deviceId?: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  /** The rights with which the user began; null: they are not looked at again. */
  readonly rights: Rights | null;
}

/** Whether a user `u` has the rights with which something was begun. Devices that were deleted since do not count. */
const hasStill = (rights: Rights | null): Sql => {
  const { role = null, team } = rights ?? {};
  const devices = team?.deviceIds ?? null;
  return sql`(${role}::text is null or u.role in (${role}, 'tenant-admin'))
      and (${team?.locationId ?? null}::uuid is null or u.role = 'tenant-admin' or exists (
        select from location_members m where m.location_id = ${team?.locationId ?? null} and m.user_id = u.id
          and m.permissions @> ${team?.permissions ?? []}::text[]
          and (m.device_ids is null or ${devices}::uuid[] is not null and not exists (
            select from devices d where d.id = any(${devices}::uuid[]) and d.id <> all(m.device_ids)))))`;
};

/** Whether a user still has an account, and the rights with which something long was begun. */
export const keepsRights = async (tx: Tx, userId: string, rights: Rights): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from users u where u.id = ${userId} and ${hasStill(rights)}`)) !== undefined;

/**
 * Stores the user's name and e-mail as they are now, because the account may be deleted later. False if the account is deleted
 * already, or has lost rights that it began with.
 */
export async function insertEntry(tx: Tx, it: NewEntry): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into audit_log (id, user_id, user_name, user_email, ip, verb, subject_type, subject_id, subject_name, location_id, device_id, before, after)
    select ${it.id}, u.id, coalesce(trim(u.first_name || ' ' || u.last_name), ''), coalesce(u.email, ${it.email}), ${it.ip}, ${it.verb},
      ${it.subject.type}, ${it.subject.id ?? null}, ${it.subject.name}, ${it.locationId ?? null}, ${it.deviceId ?? null}, ${it.before}, ${it.after}
    from (select 1) one left join users u on u.id = ${it.userId} where coalesce(u.email, ${it.email}) is not null
      and ${hasStill(it.rights)}`);
  return inserted > 0;
}

export const hasAccount = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.many(sql`select 1 from users where id = ${userId}`)).length > 0;

/** The location of an exported list: that of its filter, if the actor may see it, else the active team. */
export async function exportedLocation(
  tx: Tx,
  { reach, activeLocationId }: Actor,
  { location_id: id }: { readonly location_id?: string | undefined },
): Promise<string | null> {
  if (!id) return activeLocationId;
  const found = await tx.many(sql`select 1 from locations l where l.id = ${id} ${andLocation(reach, sql`l.id`)}`);
  return found.length > 0 ? id : null;
}

export interface AuditFilter {
  start_at?: string | undefined;
  end_at?: string | undefined;
  user_id?: string | undefined;
  location_id?: string | undefined;
  verb?: string | undefined;
  subject_type?: string | undefined;
  subject_id?: string | undefined;
  search?: string | undefined;
}

/** A date without a time means the whole day, on the clocks that the screen shows. */
const momentOf = (actor: Actor, text: string, daysLater: number): Sql =>
  text.includes('T')
    ? sql`${text}::timestamptz`
    : sql`((${text}::date + ${daysLater}::int)::timestamp at time zone ${actor.timeZone})`;

/** Whether the end of the filter is not after its start. */
export const isReversed = async (tx: Tx, actor: Actor, { start_at, end_at }: AuditFilter): Promise<boolean> =>
  start_at !== undefined &&
  end_at !== undefined &&
  (
    await tx.one<{ reversed: boolean }>(
      sql`select ${momentOf(actor, end_at, 1)} <= ${momentOf(actor, start_at, 0)} as reversed`,
    )
  ).reversed;

function where(actor: Actor, filter: AuditFilter): Sql {
  const { reach } = actor;
  const devices =
    reach.kind === 'locations' && reach.deviceIds
      ? sql`and (a.device_id is null or a.device_id = any(${reach.deviceIds}))`
      : empty;
  return sql`where true ${andLocation(reach, sql`a.location_id`)} ${devices}
    ${filter.start_at ? sql`and a.created_at >= ${momentOf(actor, filter.start_at, 0)}` : empty}
    ${filter.end_at ? sql`and a.created_at < ${momentOf(actor, filter.end_at, 1)}` : empty}
    ${filter.user_id ? sql`and a.user_id = ${filter.user_id}` : empty}
    ${filter.location_id ? sql`and a.location_id = ${filter.location_id}` : empty}
    ${filter.verb ? sql`and a.verb = ${filter.verb}` : empty}
    ${filter.subject_type ? sql`and a.subject_type = ${filter.subject_type}` : empty}
    ${filter.subject_id ? sql`and a.subject_id = ${filter.subject_id}` : empty}
    ${filter.search ? sql`and (${textMatches(sql`a.subject_name`, filter.search)} or ${textMatches(sql`a.user_name`, filter.search)} or ${textMatches(sql`a.user_email`, filter.search)} ${orVisitor(actor, filter.search)})` : empty}`;
}

const seesVisitors = (actor: Actor): boolean => may(actor, 'view-clients') && !isLimited(actor);

/** `or` + the condition that an entry is about a visitor whose texts match, for readers who see its name. */
const orVisitor = (actor: Actor, search: string): Sql =>
  seesVisitors(actor)
    ? sql`or a.subject_type = 'visitor' and a.subject_id = any(array(select search_visitors(${contains(search)},
        array(select l.id from locations l where true ${andLocation(actor.scope, sql`l.id`)}), null, null, null, 1000)))`
    : empty;

/**
 * The log keeps initials of visitors only, because it is kept longer than they are. Readers who may see visitors get the
 * name of those that still exist.
 */
const nameFor = (actor: Actor): Sql =>
  seesVisitors(actor)
    ? sql`coalesce(case when a.subject_type = 'visitor' then
        (select nullif(v.name, '') from visitors v where v.id = a.subject_id ${andLocation(actor.scope, sql`v.location_id`)}) end, a.subject_name)`
    : sql`a.subject_name`;

const columns = (subjectName: Sql) => sql`
  a.id, a.created_at, json_build_object('id', a.user_id, 'name', a.user_name, 'email', a.user_email) as user, host(a.ip) as ip, a.verb,
  json_build_object('type', a.subject_type, 'id', a.subject_id, 'name', ${subjectName}) as subject,
  case when a.location_id is not null then json_build_object('id', a.location_id, 'name', l.name) end as location, a.before, a.after
  from audit_log a left join locations l on l.id = a.location_id`;

export async function listEntries(
  tx: Tx,
  actor: Actor,
  filter: AuditFilter & { page: number; per_page: number },
): Promise<Rows<AuditEntry>> {
  const of = where(actor, filter);
  const [rows, { total }] = await Promise.all([
    tx.many<AuditEntry>(sql`select ${columns(nameFor(actor))} ${of} order by a.id desc
      limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total from audit_log a ${of}`),
  ]);
  return { rows, total };
}

/** The next entries before one, newest first, for reading all of them in chunks. */
export const entriesBefore = (tx: Tx, actor: Actor, filter: AuditFilter, id: string | null, limit: number) =>
  tx.many<AuditEntry>(sql`select ${columns(sql`a.subject_name`)} ${where(actor, filter)} ${id ? sql`and a.id < ${id}` : empty}
    order by a.id desc limit ${limit}`);
