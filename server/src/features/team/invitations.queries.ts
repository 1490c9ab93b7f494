import sql, { empty } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { andLocation } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';
import type { Rights } from './members.queries.ts';

export interface InvitationRow {
  id: string;
  location_id: string;
  location_name: string;
  email: string;
  first_name: string;
  last_name: string;
  roles: { id: string; name: string; guard_name: string }[];
  role_ids: string[];
  device_ids: string[] | null;
  permissions: string[];
  invited_by: string | null;
  inviter: string | null;
  closed_as: 'accepted' | 'denied' | 'cancelled' | null;
  /** Whether its sender could grant its rights today. */
  backed: boolean;
  /** By its time, or because it is not backed. */
  expired: boolean;
  created_at: string;
  sent_at: string;
  times_sent: number;
  expires_at: string;
}

/**
 * Whether the sender could grant the rights of an invitation today. Someone who was removed must not come back through an
 * invitation to a second address.
 */
const isBacked = sql`coalesce(case u.role
  when 'tenant-admin' then true
  when 'reseller' then l.owner_id = u.id
  when 'member' then exists (
    select from location_members m
    where m.user_id = u.id and m.location_id = i.location_id and m.permissions @> i.permissions
      and (m.device_ids is null or m.device_ids @> i.device_ids))
  end, false)`;
const hasEnded = sql`(i.expires_at <= now() or not ${isBacked})`;

const source = sql`from invitations i join locations l on l.id = i.location_id left join users u on u.id = i.invited_by`;

const columns = sql`
  i.id, i.location_id, l.name as location_name, i.email, i.first_name, i.last_name,
  coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'guard_name', r.guard_name) order by ${nameOrder(sql`r.name`)})
    from roles r where r.id = any(i.role_ids)), '[]') as roles,
  i.role_ids, i.device_ids, i.permissions, i.invited_by, nullif(trim(u.first_name || ' ' || u.last_name), '') as inviter,
  i.closed_as, ${isBacked} as backed, ${hasEnded} as expired, i.created_at, i.sent_at, i.times_sent, i.expires_at
  ${source}`;

export async function listInvitations(
  tx: Tx,
  locationId: string,
  filter: { page: number; per_page: number },
): Promise<Rows<InvitationRow>> {
  const where = sql`where i.location_id = ${locationId} and i.closed_as is null`;
  const [rows, { total }] = await Promise.all([
    tx.many<InvitationRow>(sql`select ${columns} ${where} order by i.id desc
      limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total from invitations i ${where}`),
  ]);
  return { rows, total };
}

export const getInvitation = (tx: Tx, id: string) => tx.one<InvitationRow>(sql`select ${columns} where i.id = ${id}`);

/** An open invitation to a location of the actor. */
export const findOpen = (tx: Tx, actor: Actor, id: string) =>
  tx.maybe<InvitationRow>(sql`select ${columns} where i.id = ${id} and i.closed_as is null
    ${andLocation(actor.reach, sql`i.location_id`)} for update of i`);

export const findByHash = (tx: Tx, hash: Buffer) =>
  tx.maybe<InvitationRow>(sql`select ${columns} where i.token_hash = ${hash}`);

export const findOpenFor = (tx: Tx, locationId: string, email: string) =>
  tx.maybe<{ id: string; expired: boolean }>(sql`
    select i.id, ${hasEnded} as expired ${source}
    where i.location_id = ${locationId} and i.email = ${email} and i.closed_as is null for update of i`);

export async function insertInvitation(
  tx: Tx,
  it: {
    id: string;
    locationId: string;
    email: string;
    firstName: string;
    lastName: string;
    rights: Rights;
    hash: Buffer;
    invitedBy: string;
    days: number;
  },
): Promise<void> {
  await tx.run(sql`
    insert into invitations (id, location_id, email, first_name, last_name, permissions, device_ids, role_ids, token_hash, invited_by, expires_at)
    values (${it.id}, ${it.locationId}, ${it.email}, ${it.firstName}, ${it.lastName}, ${it.rights.permissions}, ${it.rights.deviceIds},
      ${it.rights.roleIds}::uuid[], ${it.hash}, ${it.invitedBy}, now() + make_interval(days => ${it.days}))`);
}

/** A new link in place of the old one. `by`: who answers for the invitation from now on; null: its sender still does. */
export const renew = (tx: Tx, id: string, it: { hash: Buffer; days: number; by: string | null }) =>
  tx.run(sql`
    update invitations set token_hash = ${it.hash}, sent_at = now(), times_sent = times_sent + 1,
      expires_at = now() + make_interval(days => ${it.days}), invited_by = coalesce(${it.by}, invited_by)
    where id = ${id}`);

/** Closes an invitation once; false when it was closed meanwhile. `alive`: only while it has not expired. */
export const close = async (
  tx: Tx,
  id: string,
  as: 'accepted' | 'denied' | 'cancelled',
  options: { alive: boolean },
): Promise<boolean> =>
  (await tx.run(sql`
    update invitations set closed_as = ${as}, closed_at = now()
    where id = ${id} and closed_as is null ${options.alive ? sql`and expires_at > now()` : empty}`)) > 0;

/** The open invitations of a user with a confirmed address: anyone can register any address. */
const own = (userId: string) => sql`i.closed_as is null and not ${hasEnded}
  and i.email = (select p.email from users p where p.id = ${userId} and p.email_confirmed_at is not null)`;
export const listOwn = (tx: Tx, userId: string) =>
  tx.many<InvitationRow>(sql`select ${columns} where ${own(userId)} order by i.id desc limit 100`);
export const findOwn = (tx: Tx, userId: string, id: string) =>
  tx.maybe<InvitationRow>(sql`select ${columns} where i.id = ${id} and ${own(userId)}`);
