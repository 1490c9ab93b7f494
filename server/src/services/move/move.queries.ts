import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The last month whose sessions are in ClickHouse; null without any. */
export const archivedUntil = async (tx: Tx): Promise<string | null> =>
  (await tx.one<{ month: string | null }>(sql`select to_char(max(month), 'YYYY-MM') as month from session_archives`))
    .month;

/** Whether a tenant has arrived, or is here. */
export const isHere = async (tx: Tx, tenant: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from tenants where id = ${tenant}
    union all select 1 from tenant_moves where tenant = ${tenant} and state = 'arrived'`)) !== undefined;

/** Describes for the operator what an arriving tenant would share with another one. */
export async function findConflict(
  tx: Tx,
  it: { id: string; slug: string; hosts: readonly string[]; routers: readonly string[] },
): Promise<string | undefined> {
  const found = await tx.maybe<{ what: string }>(sql`
    select 'the tenant ' || slug as what from tenants where id = ${it.id}
    union all select 'a tenant named ' || slug from tenants where slug = ${it.slug}
    union all select 'a tenant with the host name ' || host from tenant_domains where host = any(${it.hosts}) and verified_at is not null
    union all select 'a device with the NAS identifier ' || nas_identifier from devices where nas_identifier = any(${it.routers})
    limit 1`);
  return found?.what;
}

/** Statements of the transaction that adds the tenant. The id was checked. Its routers that poll are to learn this installation. */
export const markArrived = (tenant: string): string => `
  update tenant_moves set direction = 'in', state = 'arrived', changed_at = now() where tenant = '${tenant}';
  insert into moved_routers (nas_identifier, tenant, poll_tokens, brand)
  select d.nas_identifier, d.tenant_id, d.poll_tokens, b.slug from devices d join brands b on b.id = d.brand_id
  where d.tenant_id = '${tenant}' and cardinality(d.poll_tokens) > 0
  on conflict (nas_identifier) do update set tenant = excluded.tenant, poll_tokens = excluded.poll_tokens, brand = excluded.brand, id = new_id()`;
