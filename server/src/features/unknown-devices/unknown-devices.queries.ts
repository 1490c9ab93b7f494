import { type UnknownDevice, unknownDeviceHours } from '@portico/contract/unknown-devices.ts';
import sql from 'sql-template-tag';
import { andDevice, andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

/** The limits of the table: names of an address (or IPv6 /64), strangers in total, names behind a proxy. */
const perSource = 5;
const maxStrangers = 1000;
const perProxy = 50;
const shown = 50;
const kept = sql`make_interval(hours => ${unknownDeviceHours})`;

export interface HeardDevice {
  tenant_id: string | null;
  proxy_id: string | null;
  source: string;
  network: string;
  nas_identifier: string;
  packets: number;
  first_at: Date;
  last_at: Date;
}

/** Adds packets, and keeps within the limits those that sent most. Runs under withSystem, as do the next two. */
export async function recordHeard(tx: Tx, heard: readonly HeardDevice[]): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(lock_key('unknown-devices', ''))`);
  await tx.run(sql`
    insert into unknown_devices as u (tenant_id, proxy_id, source, network, nas_identifier, packets, first_at, last_at)
    -- Two proxies of a tenant at one address may speak for the same router.
    select h.tenant_id, (array_agg(h.proxy_id order by h.last_at desc))[1], h.source, min(h.network), h.nas_identifier,
      sum(h.packets)::bigint, min(h.first_at), max(h.last_at)
    from json_to_recordset(${JSON.stringify(heard)}::json) h (tenant_id uuid, proxy_id uuid, source inet, network text,
      nas_identifier text, packets bigint, first_at timestamptz, last_at timestamptz)
    -- The proxy may have been deleted meanwhile.
    where (h.proxy_id is null or exists (select 1 from radius_proxies p where p.tenant_id = h.tenant_id and p.id = h.proxy_id))
      -- It is known, and about to learn where its tenant is.
      and not exists (select from moved_routers r join tenant_moves m using (tenant) where r.nas_identifier = h.nas_identifier and m.direction = 'out')
    group by h.tenant_id, h.source, h.nas_identifier
    on conflict (tenant_id, source, nas_identifier) do update set
      packets = u.packets + excluded.packets, last_at = greatest(u.last_at, excluded.last_at), proxy_id = excluded.proxy_id`);
  await tx.run(sql`
    delete from unknown_devices where last_at < now() - ${kept} or id in (
      select id from (
        select id, proxy_id,
          row_number() over (partition by proxy_id, case when proxy_id is null then network end order by packets desc, last_at desc, id) as of_sender,
          row_number() over (partition by proxy_id is null order by packets desc, last_at desc, id) as of_all
        from unknown_devices) r
      where proxy_id is null and (of_sender > ${perSource} or of_all > ${maxStrangers}) or of_sender > ${perProxy})`);
}

export const forgetOld = (tx: Tx) => tx.run(sql`delete from unknown_devices where last_at < now() - ${kept}`);

/** Not added since. A device whose secret cannot be read is no stranger either. */
const unknown = sql`u.last_at > now() - ${kept} and not exists (select 1 from devices d where d.nas_identifier = u.nas_identifier)`;

const columns = sql`u.id, nullif(u.nas_identifier, '') as nas_identifier, host(u.source) as address, u.packets, u.first_at, u.last_at`;
type Columns = Pick<UnknownDevice, 'id' | 'nas_identifier' | 'address' | 'packets' | 'first_at' | 'last_at'>;

/**
 * Unknown devices at an address that only devices of this tenant have proven, and those in the network of the caller's browser.
 * An address that an operator typed does not count, because any address can be typed.
 */
export const findStrangers = (tx: Tx, it: { tenantId: string; callerNetwork: string | null }) =>
  tx.many<Columns & { at_caller: boolean; at_tenant: boolean }>(sql`
    select * from (
      select ${columns}, coalesce(u.network = ${it.callerNetwork}, false) as at_caller,
        (select coalesce(bool_and(s.tenant_id = ${it.tenantId}), false) from log_sources s
          where s.network = u.source and s.proof <> 'operator') as at_tenant
      from unknown_devices u where u.tenant_id is null and ${unknown}) found
    where at_caller or at_tenant order by last_at desc limit ${shown}`);

/** All of them, for the operator of the installation. */
export const listAll = (tx: Tx) =>
  tx.many<Columns & { tenant: string | null; proxy: string | null }>(sql`
    select ${columns}, t.slug as tenant, p.name as proxy from unknown_devices u
      left join tenants t on t.id = u.tenant_id left join radius_proxies p on p.tenant_id = u.tenant_id and p.id = u.proxy_id
    where ${unknown} order by u.last_at desc`);

type Named = { id: string; name: string };

/** The devices in the scope that have proven one of the addresses. One for each address. */
export const findProvers = (tx: Tx, scope: Scope, addresses: readonly string[]) =>
  tx.many<{ address: string; device: Named }>(sql`
    select distinct on (s.network) host(s.network) as address, json_build_object('id', d.id, 'name', d.name) as device
    from log_sources s join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
    where s.network = any(${addresses}::inet[]) and s.proof <> 'operator' and (s.expires_at is null or s.expires_at > now())
      ${andDevice(scope, sql`d.location_id`, sql`d.id`)}
    order by s.network, s.proven_at desc`);

/** Unknown devices behind the tenant's proxies that speak only for locations in the scope. */
export const findForwarded = (tx: Tx, scope: Scope) =>
  tx.many<Columns & { proxy: Named }>(sql`
    select ${columns}, json_build_object('id', p.id, 'name', p.name) as proxy
    from unknown_devices u join radius_proxies p on p.tenant_id = u.tenant_id and p.id = u.proxy_id
    where ${unknown} ${
      scope.kind === 'tenant'
        ? sql``
        : sql`and p.locations <> '{}' and not exists (select 1 from unnest(p.locations) x (id)
            where not exists (select 1 from locations l where l.id = x.id ${andLocation(scope, sql`l.id`)}))`
    }
    order by u.last_at desc limit ${shown}`);
