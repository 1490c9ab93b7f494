import sql, { empty } from 'sql-template-tag';
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
  expired: boolean;
  created_at: string;
  sent_at: string;
  times_sent: number;
  expires_at: string;
}

const columns = sql`
  i.id, i.location_id, l.name as location_name, i.email, i.first_name, i.last_name,
  coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'guard_name', r.guard_name) order by r.name)
    from roles r where r.id = any(i.role_ids)), '[]') as roles,
  i.role_ids, i.device_ids, i.permissions, i.invited_by, nullif(trim(u.first_name || ' ' || u.last_name), '') as inviter,
  i.closed_as, i.expires_at <= now() as expired, i.created_at, i.sent_at, i.times_sent, i.expires_at
  from invitations i join locations l on l.id = i.location_id left join users u on u.id = i.invited_by`;

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
    select id, expires_at <= now() as expired from invitations
    where location_id = ${locationId} and email = ${email} and closed_as is null for update`);

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

/** A new link in place of the old one. */
export const renew = (tx: Tx, id: string, hash: Buffer, days: number) =>
  tx.run(sql`
    update invitations set token_hash = ${hash}, sent_at = now(), times_sent = times_sent + 1, expires_at = now() + make_interval(days => ${days})
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
const own = (userId: string) => sql`i.closed_as is null and i.expires_at > now()
  and i.email = (select p.email from users p where p.id = ${userId} and p.email_confirmed_at is not null)`;
export const listOwn = (tx: Tx, userId: string) =>
  tx.many<InvitationRow>(sql`select ${columns} where ${own(userId)} order by i.id desc limit 100`);
export const findOwn = (tx: Tx, userId: string, id: string) =>
  tx.maybe<InvitationRow>(sql`select ${columns} where i.id = ${id} and ${own(userId)}`);
