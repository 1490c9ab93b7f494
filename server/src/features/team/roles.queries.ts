import sql, { empty } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';

export interface RoleRow {
  id: string;
  name: string;
  guard_name: string;
  location_id: string | null;
  built_in: 'manager' | 'reception' | 'technician' | 'viewer' | null;
  /** The permissions of the role at the location. */
  permissions: string[];
  /** The permissions of the role where the location has not adjusted it. */
  standard: string[];
  members: number;
}

/** The roles of a location (null: of the tenant), as they stand there; ready-made ones first, the widest first. */
export const listRoles = (tx: Tx, locationId: string | null, id?: string) =>
  tx.many<RoleRow>(sql`
    select r.id, r.name, r.guard_name, r.location_id, r.built_in, coalesce(a.permissions, r.permissions) as permissions,
      r.permissions as standard,
      (select count(*) from location_members m where r.id = any(m.role_ids)
        ${locationId ? sql`and m.location_id = ${locationId}` : empty}) as members
    from roles r left join role_adjustments a on a.role_id = r.id and a.location_id = ${locationId}
    where (r.location_id is null or r.location_id = ${locationId}) ${id ? sql`and r.id = ${id}` : empty}
    order by r.location_id is not null, r.built_in is null, cardinality(r.permissions) desc, ${nameOrder(sql`r.name`)}`);

export const findRole = async (tx: Tx, locationId: string | null, id: string): Promise<RoleRow | undefined> =>
  (await listRoles(tx, locationId, id))[0];

export const insertRole = (
  tx: Tx,
  it: { id: string; locationId: string | null; name: string; permissions: readonly string[] },
) =>
  tx.run(sql`insert into roles (id, location_id, name, permissions)
    values (${it.id}, ${it.locationId}, ${it.name}, ${it.permissions})`);

export const updateRole = (tx: Tx, id: string, it: { name: string; permissions: readonly string[] }) =>
  tx.run(sql`update roles set name = ${it.name}, permissions = ${it.permissions} where id = ${id}`);

export const deleteRole = (tx: Tx, id: string) => tx.run(sql`delete from roles where id = ${id}`);

export const adjustRole = (tx: Tx, locationId: string, id: string, permissions: readonly string[]) =>
  tx.run(sql`insert into role_adjustments (location_id, role_id, permissions) values (${locationId}, ${id}, ${permissions})
    on conflict (tenant_id, location_id, role_id) do update set permissions = excluded.permissions`);

export const dropAdjustment = (tx: Tx, locationId: string, id: string) =>
  tx.run(sql`delete from role_adjustments where location_id = ${locationId} and role_id = ${id}`);

/** One change of a tenant's roles at a time, so that two cannot take one name at once. */
export const lockRoles = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('roles'), hashtext(current_tenant()::text))`);
