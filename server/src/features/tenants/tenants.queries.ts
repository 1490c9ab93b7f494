import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface TenantRow {
  id: string;
  slug: string;
  brand_name: string;
  brand_long_name: string;
  primary_color: string;
  landing_logo: string | null;
  landing_background: string | null;
  landing_background_image: string | null;
  landing_title: Record<string, string>;
  landing_slogan: Record<string, string>;
  landing_copyright: Record<string, string>;
  password_min: number;
}

/** Before the tenant is known: runs under withSystem. */
export const findTenantBySlug = (tx: Tx, slug: string) =>
  tx.maybe<TenantRow>(sql`select * from tenants where slug = ${slug}`);

/** Before the tenant is known: runs under withSystem. */
export const findTenantByHost = (tx: Tx, host: string) =>
  tx.maybe<TenantRow & { variant: 'standard' | 'reseller' }>(
    sql`select t.*, d.variant from tenant_domains d join tenants t on t.id = d.tenant_id where d.host = ${host}`,
  );

export const getTenant = (tx: Tx) => tx.one<TenantRow>(sql`select * from tenants where id = current_tenant()`);

export async function insertTenant(tx: Tx, tenant: { id: string; slug: string; name: string }): Promise<void> {
  await tx.run(
    sql`insert into tenants (id, slug, brand_name, brand_long_name) values (${tenant.id}, ${tenant.slug}, ${tenant.name}, ${tenant.name})`,
  );
}

export async function insertRole(
  tx: Tx,
  tenantId: string,
  role: { id: string; name: string; permissions: readonly string[] },
): Promise<void> {
  await tx.run(
    sql`insert into roles (tenant_id, id, name, permissions) values (${tenantId}, ${role.id}, ${role.name}, ${role.permissions})`,
  );
}

export const hasAdministrator = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from users where role = 'tenant-admin' limit 1`)) !== undefined;
