import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { GuestContext } from '../guest-context.ts';

/**
 * Whether the router itself tells the addresses of its sessions. Elsewhere the guest's browser brings them, in our own links at
 * the latest, and could name the address that all guests share behind a NAT.
 */
export const knowsAddresses = ({ driver }: Pick<GuestContext, 'driver'>): boolean => driver.speaksRadius;

/**
 * Looks for the guest behind an address. `inside`: it is in the router's /24 or in one of the device's networks. `mac` is of
 * use only where `devices`, the number of devices online under this address, is one.
 */
export const findClientByIp = (tx: Tx, deviceId: string, ip: string) =>
  tx.one<{ inside: boolean; devices: number; mac: string | null }>(sql`
    select coalesce(parse_ip(${ip}) <<= network(set_masklen(parse_ip(split_part(d.hotspot_address, '/', 1)), 24)), false)
        or exists (select from find_network(d.tenant_id, d.id, parse_ip(${ip}))) as inside,
      count(distinct s.client_mac)::int as devices, upper(min(s.client_mac::text)) as mac
    from devices d left join online_sessions s on s.device_id = d.id and s.client_ip = parse_ip(${ip})
    where d.id = ${deviceId} group by d.tenant_id, d.id`);
