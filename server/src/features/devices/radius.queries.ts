import sql, { type Sql } from 'sql-template-tag';
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

/** Whether a reported time takes the place of the stored one: it is newer, or the clock was ahead. */
const isNewer = (reported: Sql, stored: Sql): Sql =>
  sql`(${reported} is not null and (${stored} is null or ${stored} <= ${reported} or ${stored} > now() + interval '1 minute'))`;
const newest = isNewer(sql`l.at`, sql`d.last_seen_at`);
const newestAuth = isNewer(sql`l.auth_at`, sql`d.auth_seen_at`);
const newestAcct = isNewer(sql`l.acct_at`, sql`d.acct_seen_at`);

/**
 * Stores when devices were last seen, and what their packets told. An older time changes nothing, unless the clock was ahead. Each kind of
 * packet counts alone: another process may have stored a later one of the other kind, which says nothing about this one. A device
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
      update devices d set last_seen_at = case when ${newest} then l.at else d.last_seen_at end,
        last_address = case when ${newest} and l.address is not null then l.address else d.last_address end,
        auth_seen_at = case when ${newestAuth} then l.auth_at else d.auth_seen_at end,
        acct_seen_at = case when ${newestAcct} then l.acct_at else d.acct_seen_at end,
        clock_skew = coalesce(l.skew, d.clock_skew)
      from free f join latest l on f.tenant_id = l.tenant and f.id = l.id
      where d.tenant_id = f.tenant_id and d.id = f.id and (${newest} or ${newestAuth} or ${newestAcct}))
    select id from free`);
