import sql, { empty } from 'sql-template-tag';
import { assignments } from '#db/scope.ts';
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
  landing_bottom_image: string | null;
  landing_title: Record<string, string>;
  landing_slogan: Record<string, string>;
  landing_copyright: Record<string, string>;
  password_min: number;
  require_second_factor: boolean;
  idle_minutes: number | null;
  time_zone: string;
  registration: 'open' | 'invitation';
  created_at: string;
  updated_at: string;
}

/** Before the tenant is known: runs under withSystem. */
export const findTenantBySlug = (tx: Tx, slug: string) =>
  tx.maybe<TenantRow>(sql`select * from tenants where slug = ${slug}`);

/** Before the tenant is known: runs under withSystem. */
export const findTenantByHost = (tx: Tx, host: string) =>
  tx.maybe<TenantRow & { variant: 'standard' | 'reseller' }>(
    sql`select t.*, d.variant from tenant_domains d join tenants t on t.id = d.tenant_id where d.host = ${host} and d.verified_at is not null`,
  );

export const getTenant = (tx: Tx) => tx.one<TenantRow>(sql`select * from tenants where id = current_tenant()`);

/** The row before a change. Locks it against other changes. */
export const lockTenant = (tx: Tx) =>
  tx.one<TenantRow>(sql`select * from tenants where id = current_tenant() for update`);

export async function insertTenant(tx: Tx, tenant: { id: string; slug: string; name: string }): Promise<void> {
  await tx.run(
    sql`insert into tenants (id, slug, brand_name, brand_long_name) values (${tenant.id}, ${tenant.slug}, ${tenant.name}, ${tenant.name})`,
  );
}

export async function insertRole(
  tx: Tx,
  tenantId: string,
  role: { id: string; name: string; builtIn: string; permissions: readonly string[] },
): Promise<void> {
  await tx.run(
    sql`select add_built_in_role(${tenantId}, ${role.id}, ${role.name}, ${role.builtIn}, ${role.permissions})`,
  );
}

export const hasAdministrator = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from users where role = 'tenant-admin' limit 1`)) !== undefined;

export const updateTenant = (tx: Tx, values: Record<string, unknown>) =>
  tx.run(sql`update tenants set ${assignments(values)} where id = current_tenant()`);

export interface DomainRow {
  host: string;
  variant: 'standard' | 'reseller';
  created_at: string;
  proof: string;
  verified_at: string | null;
  /** When the domain stops serving; null while its record is in the DNS. */
  stops_at: string | null;
}
/** How long a domain goes on serving without its record; longer for those that were never asked for one. */
const stopsAt = sql`missing_since + case when proven_at is null then interval '30 days' else interval '7 days' end`;
const domainColumns = sql`host, variant, created_at, proof, verified_at, case when verified_at is not null then ${stopsAt} end as stops_at`;
export const listDomains = (tx: Tx) =>
  tx.many<DomainRow>(sql`select ${domainColumns} from tenant_domains order by host`);

/** Whether a host name leads to the tenant. */
export const hasDomain = async (tx: Tx, host: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from tenant_domains where host = ${host} and verified_at is not null`)) !== undefined;

export const findDomain = (tx: Tx, host: string, lock?: 'lock') =>
  tx.maybe<DomainRow>(
    sql`select ${domainColumns} from tenant_domains where host = ${host} ${lock ? sql`for update` : empty}`,
  );

/**
 * Claims the domains whose record has to be looked for. If this process ends, another one claims them after an hour, and
 * so it does with those whose DNS did not answer. Runs under withSystem.
 */
export const claimDueDomains = (tx: Tx, limit: number) =>
  tx.many<{ tenant_id: string; host: string; proof: string }>(sql`
    with due as (
      select tenant_id, host from tenant_domains where verified_at is not null and next_check_at <= now()
      order by next_check_at limit ${limit} for update skip locked)
    update tenant_domains d set next_check_at = now() + interval '1 hour'
    from due where d.tenant_id = due.tenant_id and d.host = due.host
    returning d.tenant_id, d.host, d.proof`);

export const recordFound = (tx: Tx, host: string) =>
  tx.run(sql`
    update tenant_domains set proven_at = now(), missing_since = null, next_check_at = now() + interval '1 day'
    where host = ${host} and verified_at is not null`);

/** Returns the domain with the days that are left; it has stopped serving when there are none. */
export const recordMissing = (tx: Tx, host: string) =>
  tx.maybe<{ days: number; proven_at: string | null; stopped: boolean }>(sql`
    with missed as (
      update tenant_domains set missing_since = coalesce(missing_since, now()), next_check_at = now() + interval '1 day'
      where host = ${host} and verified_at is not null returning *),
    left_days as (
      select proven_at, ceil(extract(epoch from ${stopsAt} - now()) / 86400)::int as days from missed)
    select days, proven_at, days <= 0 as stopped from left_days`);

/** The domain no longer leads to the tenant. */
export const stopDomain = (tx: Tx, host: string) =>
  tx.run(sql`update tenant_domains set verified_at = null, missing_since = null where host = ${host}`);

/** Undefined if the tenant already has the host. */
export const insertDomain = (tx: Tx, domain: { host: string; variant: string; proof: string }) =>
  tx.maybe<DomainRow>(sql`
    insert into tenant_domains (host, variant, proof) values (${domain.host}, ${domain.variant}, ${domain.proof})
    on conflict do nothing returning ${domainColumns}`);

/** Lets the host lead to this tenant, and to no other. */
export const verifyDomain = (tx: Tx, host: string) => tx.run(sql`select verify_domain(${host})`);

export const deleteDomain = (tx: Tx, host: string) =>
  tx.maybe<DomainRow>(sql`delete from tenant_domains where host = ${host} returning ${domainColumns}`);

/** All tenants with the numbers of their objects. Runs under withSystem. */
export const listTenants = (tx: Tx) =>
  tx.many<{ slug: string; brand_name: string; locations: number; users: number; created_at: string }>(sql`
    select t.slug, t.brand_name, t.created_at,
      (select count(*) from locations l where l.tenant_id = t.id) as locations,
      (select count(*) from users u where u.tenant_id = t.id) as users
    from tenants t order by t.slug`);
