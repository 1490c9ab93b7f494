import type { SsoMapping } from '@portico/contract/sso.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface ProviderRow {
  enabled: boolean;
  label: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  domains: string[];
  groups_claim: string;
  create_accounts: boolean;
  enforced: boolean;
  emergency_user_id: string | null;
  proven_at: string | null;
  updated_at: string;
  mappings: SsoMapping[];
}

const columns = sql`
  p.enabled, p.label, p.issuer, p.client_id, p.client_secret, p.domains, p.groups_claim, p.create_accounts, p.enforced,
  p.emergency_user_id, p.proven_at, p.updated_at,
  coalesce((select json_agg(json_build_object('group', m.group_name, 'role', m.role, 'location_id', m.location_id, 'role_id', m.role_id)
    order by m.position) from sso_mappings m), '[]') as mappings
  from sso_providers p`;

/** The identity provider of the tenant. */
export const findProvider = (tx: Tx) => tx.maybe<ProviderRow>(sql`select ${columns}`);

export const lockProvider = (tx: Tx) => tx.maybe(sql`select 1 from sso_providers for update`);

export type NewProvider = Omit<ProviderRow, 'mappings' | 'updated_at'>;

export async function putProvider(tx: Tx, it: NewProvider, mappings: readonly SsoMapping[]): Promise<void> {
  await tx.run(sql`
    insert into sso_providers as p (enabled, label, issuer, client_id, client_secret, domains, groups_claim, create_accounts,
      enforced, emergency_user_id, proven_at)
    values (${it.enabled}, ${it.label}, ${it.issuer}, ${it.client_id}, ${it.client_secret}, ${it.domains}, ${it.groups_claim},
      ${it.create_accounts}, ${it.enforced}, ${it.emergency_user_id}, ${it.proven_at})
    on conflict (tenant_id) do update set enabled = excluded.enabled, label = excluded.label, issuer = excluded.issuer,
      client_id = excluded.client_id, client_secret = excluded.client_secret, domains = excluded.domains,
      groups_claim = excluded.groups_claim, create_accounts = excluded.create_accounts, enforced = excluded.enforced,
      emergency_user_id = excluded.emergency_user_id, proven_at = excluded.proven_at, updated_at = now()`);
  await tx.run(sql`delete from sso_mappings`);
  await tx.run(sql`
    insert into sso_mappings (position, group_name, role, location_id, role_id)
    select position, it->>'group', it->>'role', (it->>'location_id')::uuid, (it->>'role_id')::uuid
    from jsonb_array_elements(${JSON.stringify(mappings)}::jsonb) with ordinality as given (it, position)`);
}

export const deleteProvider = (tx: Tx) => tx.run(sql`delete from sso_providers`);

export const endEnforcement = (tx: Tx) =>
  tx.run(sql`update sso_providers set enforced = false, updated_at = now() where enforced`);

export const markProven = (tx: Tx) => tx.run(sql`update sso_providers set proven_at = now()`);

/** Which of these are proven domains of the tenant. */
export const provenAmong = async (tx: Tx, hosts: readonly string[]): Promise<string[]> =>
  (
    await tx.many<{ host: string }>(
      sql`select host from tenant_domains where host = any(${hosts}) and verified_at is not null`,
    )
  ).map(it => it.host);

/** Whether a user may be the emergency account: a tenant administrator with a password. */
export const canBeEmergency = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from users where id = ${userId} and role = 'tenant-admin' and password_hash is not null for share`,
  )) !== undefined;

/** The positions of mappings whose location or role does not exist, or whose role is another location's. */
export const wrongMappings = async (tx: Tx, mappings: readonly SsoMapping[]): Promise<number[]> =>
  (
    await tx.many<{ position: number }>(sql`
      select (position - 1)::int as position
      from jsonb_array_elements(${JSON.stringify(mappings)}::jsonb) with ordinality as given (it, position)
      where it->>'role' = 'member' and not exists (
        select from locations l join roles r on r.location_id is null or r.location_id = l.id
        where l.id = (it->>'location_id')::uuid and r.id = (it->>'role_id')::uuid)
      order by position`)
  ).map(it => it.position);
