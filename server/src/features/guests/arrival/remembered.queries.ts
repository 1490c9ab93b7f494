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

/** Finds a guest by its cookie and by its MAC; matches by cookie come first. */
export const findRemembered = (tx: Tx, it: { locationId: string; tokenHash: Buffer; mac: string }) =>
  tx.many<RememberedRow>(sql`
    select id, visitor_id, upper(client_mac::text) as mac, provider_slug, extract(epoch from now() - seen_at)::bigint as age,
      token_hash = ${it.tokenHash} as by_cookie
    from remembered_guests
    where location_id = ${it.locationId} and (token_hash = ${it.tokenHash} or client_mac = parse_mac(${it.mac}))
    order by token_hash = ${it.tokenHash} desc`);

/** Ties the guest's device to this cookie, and removes the cookie's earlier device. */
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

/** Restarts the period of a device that was admitted by its MAC. The cookie stays with its browser. */
export const seeAgain = (tx: Tx, it: { locationId: string; mac: string }) =>
  tx.run(sql`
    update remembered_guests set seen_at = now() where location_id = ${it.locationId} and client_mac = parse_mac(${it.mac})`);

export const forgetDevice = (tx: Tx, it: { locationId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where location_id = ${it.locationId} and client_mac = parse_mac(${it.mac})`);

export const forgetVisitorDevice = (tx: Tx, it: { visitorId: string; mac: string }) =>
  tx.run(sql`delete from remembered_guests where visitor_id = ${it.visitorId} and client_mac = parse_mac(${it.mac})`);

/** Runs under withSystem. Operators cannot choose a period longer than a year. */
export const forgetOldGuests = (tx: Tx) =>
  tx.run(sql`delete from remembered_guests where seen_at < now() - interval '366 days'`);
