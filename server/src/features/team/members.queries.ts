import type { Direction, memberOrders } from '@portico/contract/list-orders.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { nameOrder, textMatches } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import { andVisible, disown } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';

export interface MemberRow {
  id: string;
  first_name: string;
  last_name: string;
  full_name: string;
  email: string;
  phone_number: string;
  roles: { id: string; name: string; guard_name: string }[];
  device_ids: string[] | null;
  permissions: string[];
  is_owner: boolean;
  created_at: string;
}

/** The roles whose ids a column holds, as in the API. */
const rolesOf = (column: ReturnType<typeof sql>) => sql`coalesce((
  select json_agg(json_build_object('id', r.id, 'name', r.name, 'guard_name', r.guard_name) order by ${nameOrder(sql`r.name`)})
  from roles r where r.id = any(${column})), '[]') as roles`;

const columns = sql`
  u.id, u.first_name, u.last_name, trim(u.first_name || ' ' || u.last_name) as full_name, u.email, u.phone_number,
  ${rolesOf(sql`m.role_ids`)}, m.device_ids, m.permissions, l.owner_id is not distinct from u.id as is_owner, m.created_at
  from location_members m join users u on u.id = m.user_id join locations l on l.id = m.location_id`;

interface MemberFilter {
  page: number;
  per_page: number;
  search?: string | undefined;
  sort: (typeof memberOrders)[number];
  order: Direction;
}

/** Members without a name are listed by their address. A location has few members, so they are sorted without an index. */
const named = nameOrder(sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`);
const orders: Record<MemberFilter['sort'], Record<Direction, Sql>> = {
  since: { asc: sql`m.created_at, u.id`, desc: sql`m.created_at desc, u.id` },
  name: { asc: sql`${named}, u.id`, desc: sql`${named} desc, u.id` },
};

export async function listMembers(tx: Tx, locationId: string, filter: MemberFilter): Promise<Rows<MemberRow>> {
  const where = sql`where m.location_id = ${locationId}
    ${filter.search ? sql`and ${textMatches(sql`(u.first_name || ' ' || u.last_name || ' ' || u.email)`, filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<MemberRow>(sql`select ${columns} ${where} order by ${orders[filter.sort][filter.order]}
      limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(
      sql`select count(*) as total from location_members m join users u on u.id = m.user_id ${where}`,
    ),
  ]);
  return { rows, total };
}

export const findMember = (tx: Tx, locationId: string, userId: string) =>
  tx.maybe<MemberRow>(sql`select ${columns} where m.location_id = ${locationId} and m.user_id = ${userId}`);

/** The locations that the actor may see where a user is a member: with devices, those that have one of them. */
export const locationsOf = async (
  tx: Tx,
  actor: Actor,
  { userId, deviceIds }: { userId: string; deviceIds: readonly string[] },
): Promise<string[]> => {
  const rows = await tx.many<{ id: string }>(sql`
    select l.id from location_members m join locations l on l.id = m.location_id
    where m.user_id = ${userId} ${andVisible(actor)}
      ${deviceIds.length ? sql`and exists (select 1 from devices d where d.location_id = l.id and d.id = any(${deviceIds}))` : empty}
    limit 2`);
  return rows.map(it => it.id);
};

export const everyLocationOf = async (tx: Tx, userId: string): Promise<string[]> =>
  (
    await tx.many<{ id: string }>(
      sql`select location_id as id from location_members where user_id = ${userId} order by location_id`,
    )
  ).map(it => it.id);

/** One change of a location's team at a time, so that two cannot remove its last two managers at once. */
export const lockTeam = (tx: Tx, locationId: string) =>
  tx.maybe<{ name: string }>(sql`select name from locations where id = ${locationId} for update`);

/**
 * Whether the location has a manager without this member: another member, or a reseller or administrator who owns it. For a
 * location without an owner the tenant's administrators count, if one of them is the actor.
 */
export const managedWithout = async (
  tx: Tx,
  actor: Actor,
  { locationId, userId }: { locationId: string; userId: string },
): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from location_members m where m.location_id = ${locationId} and m.user_id <> ${userId} and 'update-location' = any(m.permissions)
    union all
    select 1 from locations l left join users u on u.id = l.owner_id
    where l.id = ${locationId} and ((l.owner_id is null and ${actor.role === 'tenant-admin'}) or u.role in ('reseller', 'tenant-admin'))
    limit 1`)) !== undefined;

export interface Rights {
  readonly permissions: readonly string[];
  readonly deviceIds: readonly string[] | null;
  readonly roleIds: readonly string[];
}

export const updateMember = (tx: Tx, locationId: string, userId: string, rights: Rights) =>
  tx.run(sql`
    update location_members set permissions = ${rights.permissions}, device_ids = ${rights.deviceIds}, role_ids = ${rights.roleIds}::uuid[]
    where location_id = ${locationId} and user_id = ${userId}`);

/** Makes a member. An existing member keeps their rights. */
export const insertMember = async (tx: Tx, locationId: string, userId: string, rights: Rights): Promise<boolean> =>
  (await tx.run(sql`
    insert into location_members (location_id, user_id, permissions, device_ids, role_ids)
    values (${locationId}, ${userId}, ${rights.permissions}, ${rights.deviceIds}, ${rights.roleIds}::uuid[])
    on conflict do nothing`)) > 0;

/** The webhooks of a location, or of the whole tenant. */
export interface LeftWebhooks {
  location_id: string | null;
  place: string;
  names: string[];
}

/**
 * The webhooks that a user set up or changed, by the audit log. With a location, its webhooks, unless the user still reaches
 * it by a role of the tenant. Without one, all, because that role ended. Without those of locations where the user is a
 * member or the owner.
 */
export const webhooksOf = (tx: Tx, userId: string, locationId: string | null): Promise<LeftWebhooks[]> =>
  tx.many<LeftWebhooks>(sql`
    select i.location_id, coalesce(l.name, t.brand_name) as place, array_agg(i.name order by ${nameOrder(sql`i.name`)}, i.id) as names
    from integrations i
    join tenants t on t.id = i.tenant_id
    left join locations l on l.id = i.location_id
    where i.kind = 'webhook' and (${locationId}::uuid is null or i.location_id = ${locationId}::uuid and not exists (
        select from users u where u.id = ${userId} and u.role in ('tenant-admin', 'auditor')))
      and l.owner_id is distinct from ${userId}
      and not exists (select from location_members m where m.location_id = i.location_id and m.user_id = ${userId})
      and exists (
        select from audit_log a
        where a.subject_id = i.id and a.subject_type = 'integration' and a.user_id = ${userId} and a.verb in ('create', 'update'))
    group by i.location_id, l.name, t.brand_name order by i.location_id nulls first`);

export const nameOf = async (tx: Tx, userId: string): Promise<string> =>
  (
    await tx.one<{ name: string }>(
      sql`select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name from users where id = ${userId}`,
    )
  ).name;

/** Removes a member. Another of their locations becomes active; an owner loses the location. Its reports go to them no more. */
export async function deleteMember(tx: Tx, locationId: string, userId: string): Promise<void> {
  await tx.run(sql`delete from location_members where location_id = ${locationId} and user_id = ${userId}`);
  await tx.run(sql`select move_to_next_location(${locationId}, array[${userId}::uuid])`);
  await disown(tx, userId, locationId);
  await tx.run(sql`select stop_report_mails(${locationId}, ${userId})`);
}

/** How many of these devices are at the location. */
export const countOwnDevices = async (tx: Tx, locationId: string, deviceIds: readonly string[]): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*) as n from devices where location_id = ${locationId} and id = any(${deviceIds})`,
    )
  ).n;

export interface PersonRow {
  id: string;
  email: string;
  full_name: string;
  role: 'tenant-admin' | 'reseller' | 'auditor' | 'member';
  language: 'tr' | 'en';
  email_confirmed: boolean;
}
const person = sql`select id, email, trim(first_name || ' ' || last_name) as full_name, role, language,
  email_confirmed_at is not null as email_confirmed from users`;
export const findPerson = (tx: Tx, email: string) => tx.maybe<PersonRow>(sql`${person} where email = ${email}`);
export const getPerson = (tx: Tx, id: string) => tx.one<PersonRow>(sql`${person} where id = ${id}`);
export const maybePerson = (tx: Tx, id: string | null) => tx.maybe<PersonRow>(sql`${person} where id = ${id}`);

/** Devices that are deleted are taken out of the limits of members and invitations. */
export async function removeFromLimits(tx: Tx, deviceIds: readonly string[]): Promise<void> {
  const ids = sql`${deviceIds}::uuid[]`;
  const left = sql`array(select id from unnest(device_ids) with ordinality as it (id, n) where id <> all(${ids}) order by n)`;
  await tx.run(sql`update location_members set device_ids = ${left} where device_ids && ${ids}`);
  await tx.run(sql`update invitations set device_ids = ${left} where device_ids && ${ids}`);
}

/** Adds a device to a member who is limited to some devices. */
export const grantDevice = (tx: Tx, id: string, member: { userId: string; locationId: string }) =>
  tx.run(sql`
    update location_members set device_ids = device_ids || ${id}::uuid
    where user_id = ${member.userId} and location_id = ${member.locationId} and device_ids is not null`);
