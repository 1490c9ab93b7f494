import { createHash } from 'node:crypto';
import type { Tx } from '#db/tenant.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { insertTicket } from './sign-in.queries.ts';

/** How long a ticket is valid, in seconds. */
const ticketSeconds = 60;

export interface TicketFor {
  readonly locationId: string;
  readonly deviceId: string;
  readonly visitorId: string;
  /** MAC of the guest device. Null if the router does not report it; then any device may use the ticket. */
  readonly mac: string | null;
  /** Stands for the browser when `mac` is null. */
  readonly pseudoMac?: string | null;
  readonly providerSlug: string;
  /** The host of the router's sign-in page; null where the device has a hotspot address. */
  readonly loginHost?: string | null;
  /** The page to open once the guest is online. */
  readonly redirect: string;
  /** The guest was recognised by its MAC alone. */
  readonly byAddress?: boolean;
  /** Hashes of the token that its browser gets, and of the one it had: tied to the guest device that redeems the ticket. */
  readonly remember?: { readonly token: Buffer; readonly before: Buffer } | undefined;
  /** The mark of a browser that may refuse cookies, and has to be told why the router refused it. */
  readonly browser?: string;
  /** A longer validity, for routers where the guest has to press a button first. */
  readonly seconds?: number;
}

/**
 * Creates a one-time ticket, which the guest's browser sends to the router as user name and password. It has letters and
 * digits only, so that forms and URLs of routers do not alter it.
 */
export async function issueTicket(tx: Tx, it: TicketFor): Promise<string> {
  const ticket = randomWord(32);
  await insertTicket(tx, {
    id: newId(),
    hash: createHash('sha256').update(ticket).digest(),
    location_id: it.locationId,
    device_id: it.deviceId,
    visitor_id: it.visitorId,
    client_mac: it.mac,
    pseudo_mac: it.pseudoMac ?? null,
    provider_slug: it.providerSlug,
    redirect: it.redirect,
    login_host: it.loginHost ?? null,
    by_address: it.byAddress ?? false,
    remember_token: it.remember?.token ?? null,
    token_before: it.remember?.before ?? null,
    browser: it.browser ?? null,
    seconds: it.seconds ?? ticketSeconds,
  });
  return ticket;
}
