import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The real MAC behind a pseudo MAC, once it is known. */
export const findRealMac = (tx: Tx, deviceId: string, pseudoMac: string) =>
  tx.maybe<{ mac: string }>(sql`
    select upper(client_mac::text) as mac from pseudo_macs where device_id = ${deviceId} and pseudo_mac = parse_mac(${pseudoMac})`);

export interface TicketRow {
  visitor_id: string;
  provider_slug: string;
  used: boolean;
  expired: boolean;
  /** Why RADIUS rejected the ticket; null if it did not. */
  refused: string | null;
}

const ticketRows = sql`
  select t.visitor_id, t.provider_slug, t.used_at is not null as used, t.expires_at <= now() as expired,
    (select case f.reason when 'suspended' then 'license_over' else f.reason end from failed_logins f
     where f.location_id = t.location_id and f.created_at >= t.created_at and f.device_id = t.device_id and f.visitor_id = t.visitor_id
       and f.params is null
     order by f.created_at desc limit 1) as refused
  from tickets t`;

/** The state of a ticket, or of the latest one of a browser. */
export const findTicket = (
  tx: Tx,
  deviceId: string,
  of: { readonly hash: Buffer | null; readonly pseudoMac: string | null },
) =>
  tx.maybe<TicketRow>(sql`
    ${ticketRows} where t.device_id = ${deviceId} and (t.hash = ${of.hash} or t.pseudo_mac = parse_mac(${of.pseudoMac}))
    order by t.created_at desc limit 1`);

/** The state of the latest ticket of the last minutes that a browser without cookies got for this guest device. */
export const findTicketOfBrowser = (tx: Tx, deviceId: string, of: { readonly mac: string; readonly browser: string }) =>
  tx.maybe<TicketRow>(sql`
    ${ticketRows} where t.device_id = ${deviceId} and t.client_mac = parse_mac(${of.mac}) and t.browser = ${of.browser}
      and t.created_at > now() - interval '5 minutes'
    order by t.created_at desc limit 1`);

/** Separates a device from its browser, which gets another pseudo MAC the next time. */
export const forgetAnonymousDevice = (tx: Tx, mac: string) =>
  tx.run(sql`delete from pseudo_macs where client_mac = parse_mac(${mac}) or pseudo_mac = parse_mac(${mac})`);

/** Runs under withSystem. */
export const forgetOldAnonymousDevices = (tx: Tx) =>
  tx.run(sql`delete from pseudo_macs where seen_at < now() - interval '366 days'`);
