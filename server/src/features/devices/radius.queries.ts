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

/** The tenant is not known yet: runs under withSystem. */
export const findDeviceByNas = (tx: Tx, nasIdentifier: string) =>
  tx.maybe<RadiusDeviceRow>(
    sql`select d.id, d.tenant_id, d.location_id, d.secret, d.message_authenticator, b.slug as brand, array(
        select host(s.network) from log_sources s where s.tenant_id = d.tenant_id and s.device_id = d.id
          and masklen(s.network) = case family(s.network) when 4 then 32 else 128 end and (s.expires_at is null or s.expires_at > now())) as addresses
      from devices d join brands b on b.id = d.brand_id where d.nas_identifier = ${nasIdentifier}
        -- Its router gets no answer here and tries again, until it knows the new address.
        and not exists (select from tenant_moves m where m.tenant = d.tenant_id and (m.direction = 'out' or m.state = 'arriving'))`,
  );

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
 * A device whose guests come to the portal's host alone: the one with the MAC that they name, else the only one of its brand in
 * the tenant of the host, or anywhere if just one tenant has the brand. Runs under withSystem.
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

/** Never reset, because a router that has sent it once must always send it. */
export const requireMessageAuthenticator = (tx: Tx, id: string) =>
  tx.run(sql`update devices set message_authenticator = true where id = ${id} and not message_authenticator`);

/** The script on a gateway has told who is signed in. */
export const markReported = (tx: Tx, id: string) =>
  tx.run(sql`update devices set reported_at = now() where id = ${id}`);

/**
 * Stores when a device was last seen, and its address if the packet came directly from it. An older time changes nothing, unless
 * the clock was ahead.
 */
export const markSeen = (
  tx: Tx,
  id: string,
  seen: { at: Date; address?: string; kind?: 'auth' | 'acct' | 'status'; clockSkew?: number | undefined },
) =>
  tx.run(sql`
    update devices set last_seen_at = ${seen.at}, last_address = coalesce(${seen.address ?? null}::inet, last_address),
      auth_seen_at = case when ${seen.kind === 'auth'} then ${seen.at} else auth_seen_at end,
      acct_seen_at = case when ${seen.kind === 'acct'} then ${seen.at} else acct_seen_at end,
      clock_skew = coalesce(${seen.clockSkew ?? null}::int, clock_skew)
    where id = ${id} and (last_seen_at is null or last_seen_at <= ${seen.at} or last_seen_at > now() + interval '1 minute')`);
