import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Which device a browser's stand-in turned out to be. */
export const findNamed = (tx: Tx, deviceId: string, standsFor: string) =>
  tx.maybe<{ mac: string }>(sql`
    select upper(client_mac::text) as mac from pseudo_macs where device_id = ${deviceId} and pseudo_mac = parse_mac(${standsFor})`);

export interface TicketRow {
  visitor_id: string;
  provider_slug: string;
  used: boolean;
  expired: boolean;
  /** Why the router was told no; null where it has not asked, or was told yes. */
  refused: string | null;
}

/** What became of a ticket, or of the latest that a browser got. */
export const findTicket = (
  tx: Tx,
  deviceId: string,
  of: { readonly hash: Buffer | null; readonly standsFor: string | null },
) =>
  tx.maybe<TicketRow>(sql`
    select t.visitor_id, t.provider_slug, t.used_at is not null as used, t.expires_at <= now() as expired,
      (select f.reason from failed_logins f
       where f.location_id = t.location_id and f.created_at >= t.created_at and f.device_id = t.device_id and f.visitor_id = t.visitor_id
         and f.params is null
       order by f.created_at desc limit 1) as refused
    from tickets t
    where t.device_id = ${deviceId} and (t.hash = ${of.hash} or t.pseudo_mac = parse_mac(${of.standsFor}))
    order by t.created_at desc limit 1`);

/** Nobody may name a device that is forgotten: the browser gets another stand-in. */
export const forgetNamed = (tx: Tx, mac: string) =>
  tx.run(sql`delete from pseudo_macs where client_mac = parse_mac(${mac}) or pseudo_mac = parse_mac(${mac})`);

/** Across tenants. */
export const forgetUnnamed = (tx: Tx) =>
  tx.run(sql`delete from pseudo_macs where seen_at < now() - interval '366 days'`);
