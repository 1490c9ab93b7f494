import type { TenantUser } from '@portico/contract/tenants.ts';
import sql, { empty } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  u.id, u.first_name, u.last_name, trim(u.first_name || ' ' || u.last_name) as full_name, u.email, u.phone_number, u.role,
  u.totp_enabled as two_factor, (select count(*) from locations l where l.owner_id = u.id) as locations,
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

export const updateUser = (tx: Tx, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update users set ${assignments(values)} where id = ${id}`);

export const countLocations = async (tx: Tx, ids: readonly string[]): Promise<number> =>
  (await tx.one<{ n: number }>(sql`select count(*) as n from locations where id = any(${ids})`)).n;

/** Gives a reseller these locations and no others; those taken away are the tenant's. */
export async function setLocations(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`update locations set owner_id = null where owner_id = ${userId} and id <> all(${ids})`);
  await tx.run(
    sql`update locations set owner_id = ${userId} where id = any(${ids}) and owner_id is distinct from ${userId}`,
  );
  await tx.run(
    sql`update users set active_location_id = null where id = ${userId} and active_location_id <> all(${ids})`,
  );
}

/** Who works in locations as well becomes their member; the others' accounts go. Answers whether the account stayed. */
export async function revokeTenantUser(tx: Tx, id: string): Promise<boolean> {
  await tx.run(sql`update locations set owner_id = null where owner_id = ${id}`);
  const stayed = await tx.run(sql`
    update users u set role = 'member', updated_at = now(),
      active_location_id = (select m.location_id from location_members m where m.user_id = u.id order by m.created_at limit 1)
    where u.id = ${id} and exists (select 1 from location_members m where m.user_id = u.id)`);
  if (!stayed) await tx.run(sql`delete from users where id = ${id}`);
  return stayed > 0;
}
