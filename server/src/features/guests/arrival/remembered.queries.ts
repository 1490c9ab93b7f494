import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Guests who may go straight on when they come again. */

export interface RememberedRow {
  id: string;
  visitor_id: string;
  mac: string;
  provider_slug: string;
  /** Seconds since it signed in, or went on, last. */
  age: number;
  by_cookie: boolean;
}

/** By the cookie, and by the device's address: the former first. */
export const findRemembered = (tx: Tx, it: { locationId: string; tokenHash: Buffer; mac: string }) =>
  tx.many<RememberedRow>(sql`
    select id, visitor_id, upper(client_mac::text) as mac, provider_slug, extract(epoch from now() - seen_at)::bigint as age,
      token_hash = ${it.tokenHash} as by_cookie
    from remembered_guests
    where location_id = ${it.locationId} and (token_hash = ${it.tokenHash} or client_mac = parse_mac(${it.mac}))
    order by token_hash = ${it.tokenHash} desc`);

/** The guest's device is known from now on by this cookie; what it was known as before is forgotten. */
export async function remember(
  tx: Tx,
  it: {
    id: string;
    locationId: string;
    visitorId: string;
    mac: string;
    tokenHash: Buffer;
    slug: string;
    before: Buffer;
  },
): Promise<void> {
  await tx.run(sql`
    delete from remembered_guests where location_id = ${it.locationId} and token_hash = ${it.before} and client_mac <> parse_mac(${it.mac})`);
  await tx.run(sql`
    insert into remembered_guests (id, location_id, visitor_id, client_mac, token_hash, provider_slug)
    values (${it.id}, ${it.locationId}, ${it.visitorId}, parse_mac(${it.mac}), ${it.tokenHash}, ${it.slug})
    on conflict (tenant_id, location_id, client_mac) do update set
      visitor_id = excluded.visitor_id, token_hash = excluded.token_hash, provider_slug = excluded.provider_slug, seen_at = now()`);
}

/** A device goes straight on by its address: the days begin anew, and the cookie stays that of the browser that has it. */
export const seeAgain = (tx: Tx, it: { locationId: string; mac: string }) =>
  tx.run(sql`
    update remembered_guests set seen_at = now() where location_id = ${it.locationId} and client_mac = parse_mac(${it.mac})`);

export const forgetDevice = (tx: Tx, it: { locationId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where location_id = ${it.locationId} and client_mac = parse_mac(${it.mac})`);

export const forgetVisitorDevice = (tx: Tx, it: { visitorId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where visitor_id = ${it.visitorId} and client_mac = parse_mac(${it.mac})`);

/** Across tenants: longer than a year no operator can choose. */
export const forgetOldGuests = (tx: Tx) =>
  tx.run(sql`delete from remembered_guests where seen_at < now() - interval '366 days'`);
