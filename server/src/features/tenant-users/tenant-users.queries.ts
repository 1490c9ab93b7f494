import type { TenantUser } from '@portico/contract/tenants.ts';
import sql, { empty } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  u.id, u.first_name, u.last_name, trim(u.first_name || ' ' || u.last_name) as full_name, u.email, u.phone_number, u.role,
  u.totp_enabled or exists (select from passkeys p where p.user_id = u.id) as two_factor, (select count(*) from locations l where l.owner_id = u.id) as locations,
  array(select l.id from locations l where l.owner_id = u.id order by l.id desc limit 1000) as location_ids, u.created_at
  from users u`;

export async function listTenantUsers(
  tx: Tx,
  filter: { page: number; per_page: number; search?: string | undefined },
): Promise<Rows<TenantUser>> {
  const where = sql`where u.role <> 'member'
    ${filter.search ? sql`and ${textMatches(sql`(u.first_name || ' ' || u.last_name || ' ' || u.email)`, filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<TenantUser>(sql`select ${columns} ${where} order by u.id desc
      limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total from users u ${where}`),
  ]);
  return { rows, total };
}

export const findTenantUser = (tx: Tx, id: string) =>
  tx.maybe<TenantUser>(sql`select ${columns} where u.id = ${id} and u.role <> 'member'`);

/** One change of the administrators at a time, so that two cannot remove the last two at once. */
export const lockTenant = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('administrators ' || current_tenant()::text))`);

export const hasOtherAdmin = async (tx: Tx, butUser: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from users where role = 'tenant-admin' and id <> ${butUser} limit 1`)) !== undefined;

export const countLocations = async (tx: Tx, ids: readonly string[]): Promise<number> =>
  (await tx.one<{ n: number }>(sql`select count(*) as n from locations where id = any(${ids})`)).n;
