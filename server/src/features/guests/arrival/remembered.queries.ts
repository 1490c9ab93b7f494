import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Guests who need not sign in when they return. */

export interface RememberedRow {
  id: string;
  visitor_id: string;
  mac: string;
  provider_slug: string;
  /** Seconds since the guest was last admitted. */
  age: number;
  by_cookie: boolean;
}

/** Finds a guest by its cookie and by its MAC; matches by cookie come first. A visitor who was moved to another location is not known here. */
export const findRemembered = (tx: Tx, it: { locationId: string; tokenHash: Buffer; mac: string }) =>
  tx.many<RememberedRow>(sql`
    select r.id, r.visitor_id, upper(r.client_mac::text) as mac, r.provider_slug, extract(epoch from now() - r.seen_at)::bigint as age,
      r.token_hash = ${it.tokenHash} as by_cookie
    from remembered_guests r
    join visitors v on v.id = r.visitor_id and v.location_id = r.location_id
    where r.location_id = ${it.locationId} and (r.token_hash = ${it.tokenHash} or r.client_mac = parse_mac(${it.mac}))
    order by r.token_hash = ${it.tokenHash} desc`);

export const forgetDevice = (tx: Tx, it: { locationId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where location_id = ${it.locationId} and client_mac = parse_mac(${it.mac})`);

export const forgetVisitorDevice = (tx: Tx, it: { visitorId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where visitor_id = ${it.visitorId} and client_mac = parse_mac(${it.mac})`);

/** Runs under withSystem. Operators cannot choose a period longer than a year. */
export const forgetOldGuests = (tx: Tx) =>
  tx.run(sql`delete from remembered_guests where seen_at < now() - interval '366 days'`);
