import { createHash } from 'node:crypto';
import type { Tx } from '#db/tenant.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { insertTicket } from './sign-in.queries.ts';

/** How long a ticket is good, in seconds. */
const ticketSeconds = 60;

export interface TicketFor {
  readonly locationId: string;
  readonly deviceId: string;
  readonly visitorId: string;
  /** The guest device's; null where the router did not tell, then any may use it. */
  readonly mac: string | null;
  /** What stands for the guest device's address there. */
  readonly standsFor?: string | null;
  readonly providerSlug: string;
  /** The host of the router's sign-in page; null where the device has a hotspot address. */
  readonly loginHost?: string | null;
  /** Where the guest goes once online. */
  readonly redirect: string;
  /** How long it is good, where the guest has to press a button first. */
  readonly seconds?: number;
}

/**
 * A one-time ticket, good for a minute unless told otherwise: the guest's browser takes it to the router as user name and password (letters and
 * digits only, so that no router's form or URL spoils it).
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
    pseudo_mac: it.standsFor ?? null,
    provider_slug: it.providerSlug,
    redirect: it.redirect,
    login_host: it.loginHost ?? null,
    seconds: it.seconds ?? ticketSeconds,
  });
  return ticket;
}
