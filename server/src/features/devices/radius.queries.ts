import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** A router as RADIUS identifies it; `secret` is encrypted. */
export interface RadiusDeviceRow {
  id: string;
  tenant_id: string;
  location_id: string;
  secret: string;
  message_authenticator: boolean;
  brand: string;
  /** Proven addresses, and those that an operator trusts. */
  addresses: string[];
}

/** The devices with these NAS identifiers, in any order. The tenant is not known yet: runs under withSystem. */
export const findDevicesByNas = (tx: Tx, nasIdentifiers: readonly string[]) =>
  tx.many<RadiusDeviceRow & { nas_identifier: string }>(
    sql`select d.nas_identifier, d.id, d.tenant_id, d.location_id, d.secret, d.message_authenticator, b.slug as brand, array(
        select host(s.network) from log_sources s where s.tenant_id = d.tenant_id and s.device_id = d.id
          and masklen(s.network) = case family(s.network) when 4 then 32 else 128 end and (s.expires_at is null or s.expires_at > now())) as addresses
      from devices d join brands b on b.id = d.brand_id where d.nas_identifier = any(${nasIdentifiers}::text[])
        -- Its router gets no answer here and tries again, until it knows the new address.
        and not exists (select from tenant_moves m where m.tenant = d.tenant_id and (m.direction = 'out' or m.state = 'arriving'))`,
  );

export const findDeviceByNas = async (tx: Tx, nasIdentifier: string): Promise<RadiusDeviceRow | undefined> =>
  (await findDevicesByNas(tx, [nasIdentifier]))[0];

/**
 * A device by its serial number. The tenant is not known yet: runs under withSystem. If several tenants have it, the
 * tenant of the portal's host is preferred, else the device that was added first.
 */
export const findDeviceBySerial = (tx: Tx, it: { serialNumber: string; brand: string; slug: string }) =>
  tx.maybe<{ nas_identifier: string }>(sql`
    select d.nas_identifier from devices d join brands b on b.id = d.brand_id join tenants t on t.id = d.tenant_id
    where b.slug = ${it.brand} and upper(d.mac_address) = upper(${it.serialNumber})
    order by t.slug = ${it.slug} desc, d.created_at, d.id limit 1`);

/**
 * A device whose guests come to the portal's host without its identifier. It is the device with the MAC in their address,
 * else the only one of its brand in the tenant of the host. If just one tenant has the brand, any host will do. Runs under
 * withSystem.
 */
export const findDeviceAtHost = (tx: Tx, it: { address: string; brand: string; slug: string }) =>
  tx.maybe<{ nas_identifier: string }>(sql`
    with candidates as (
      select d.nas_identifier, d.mac_address, t.slug, count(*) over (partition by d.tenant_id) as siblings,
        count(*) over () as all_of_them
      from devices d join brands b on b.id = d.brand_id join tenants t on t.id = d.tenant_id
      where b.slug = ${it.brand})
    select nas_identifier from candidates
    where parse_mac(mac_address) = parse_mac(${it.address}) or siblings = 1 and (slug = ${it.slug} or all_of_them = 1)
    order by parse_mac(mac_address) = parse_mac(${it.address}) desc nulls last, slug = ${it.slug} desc limit 1`);

/**
 * Never reset, because a router that has sent it once must always send it. A device that another transaction changes at this moment is
 * left out. Returns the others.
 */
export const requireMessageAuthenticator = (tx: Tx, ids: readonly string[]) =>
  tx.many<{ id: string }>(sql`
    with free as (
      select tenant_id, id from devices where id = any(${ids}::uuid[]) for no key update skip locked),
    stored as (
      update devices d set message_authenticator = true
      from free f where d.tenant_id = f.tenant_id and d.id = f.id and not d.message_authenticator)
    select id from free`);

/** The script on a gateway has told who is signed in. */
export const markReported = (tx: Tx, id: string) =>
  tx.run(sql`update devices set reported_at = now() where id = ${id}`);

/** A packet of a device. */
export interface SeenDevice {
  readonly id: string;
  /** Left out: the tenant of the transaction. */
  readonly tenant?: string;
  readonly at: Date;
  /** The source of the packet, if it came directly from the device. */
  readonly address?: string;
  readonly kind?: 'auth' | 'acct' | 'status';
  /** Seconds by which the clock of the device is ahead. */
  readonly skew?: number | undefined;
}

/**
 * Stores when devices were last seen, and what their packets told. An older time changes nothing, unless the clock was ahead. A device
 * that another transaction changes at this moment is left out, so that it does not keep the others waiting. Returns the others.
 */
export const markSeen = (tx: Tx, seen: readonly SeenDevice[]) =>
  tx.many<{ id: string }>(sql`
    with latest as (
      select coalesce(tenant, current_tenant()) as tenant, id, max(at) as at,
        max(at) filter (where kind = 'auth') as auth_at, max(at) filter (where kind = 'acct') as acct_at,
        (array_agg(address order by at desc) filter (where address is not null))[1] as address,
        (array_agg(skew order by at desc) filter (where skew is not null))[1] as skew
      from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as s (tenant uuid, id uuid, at timestamptz, kind text, address inet, skew int)
      group by 1, 2),
    free as (
      select d.tenant_id, d.id from devices d join latest l on d.tenant_id = l.tenant and d.id = l.id
      for no key update of d skip locked),
    stored as (
      update devices d set last_seen_at = l.at, last_address = coalesce(l.address, d.last_address),
        auth_seen_at = coalesce(l.auth_at, d.auth_seen_at), acct_seen_at = coalesce(l.acct_at, d.acct_seen_at),
        clock_skew = coalesce(l.skew, d.clock_skew)
      from free f join latest l on f.tenant_id = l.tenant and f.id = l.id
      where d.tenant_id = f.tenant_id and d.id = f.id
        and (d.last_seen_at is null or d.last_seen_at <= l.at or d.last_seen_at > now() + interval '1 minute'))
    select id from free`);
