import { createHash } from 'node:crypto';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { findTicket, type TicketRow } from '../arrival/anonymous-device.queries.ts';
import { standInOf } from '../arrival/anonymous-device.ts';
import {
  approach,
  type GuestAnswer,
  type Guests,
  type Standing,
  signInPage,
  statusOf,
} from '../arrival/check-arrival.ts';
import type { From } from '../client-info.ts';
import type { Door } from '../guest-context.ts';
import type { GuestState } from '../guest-state.ts';
import type { Frame } from '../guest-views.ts';
import { deviceFull } from './device-limit.service.ts';
import { isPlain, takeTicket } from './router-form.ts';

/** What a Sophos firewall made of a ticket: it tells its guests little of it. */

const hashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();

/** A guest who is not online yet: still on its way to the firewall, refused there, or too late. Undefined: to be waited for. */
export async function onTheWay(
  guests: Guests,
  frame: Frame,
  door: Door,
  state: GuestState,
  tries: number,
): Promise<GuestAnswer | undefined> {
  const ticket = state.so?.['ticket'];
  if (door.brand !== 'sophos' || !ticket) return undefined;
  const row = await guests.app.db.withTenant(door.tenantId, tx =>
    findTicket(tx, door.device_id, { hash: hashOf(ticket), standsFor: null }),
  );
  if (!row || row.used) return undefined;
  const at = await approach(guests, frame, state);
  if ('refused' in at) return at.refused;
  if (row.refused) return refusal(guests, frame, at, row);
  if (row.expired) return signInPage(guests, frame, at, { problem: 'ticket_over' }, statusOf('ticket_over'));
  return isPlain(door, at.login) ? takeTicket(guests, frame, at, { ticket, tried: tries > 0 }) : undefined;
}

/** The firewall's own words are the same whatever we told it: why this browser's ticket was refused is looked up. */
export async function whyRefused(
  guests: Guests,
  frame: Frame,
  at: Standing,
  from: From,
): Promise<GuestAnswer | undefined> {
  const standsFor = standInOf(guests.app, at, from);
  if (!standsFor) return undefined;
  const row = await guests.app.db.withTenant(at.door.tenantId, tx =>
    findTicket(tx, at.door.device_id, { hash: null, standsFor }),
  );
  return row?.refused && !row.used ? refusal(guests, frame, at, row) : undefined;
}

async function refusal(guests: Guests, frame: Frame, at: Standing, row: TicketRow): Promise<GuestAnswer> {
  const { visitor_id: visitorId, refused } = row;
  const guest = { visitorId, slug: row.provider_slug as ProviderSlug, email: null, phone: null, agreed: null };
  const full = refused === 'over_limit' && (await deviceFull(guests, frame, at, guest));
  if (full) return full;
  const problem = refused === 'wrong_credentials' ? 'ticket_over' : (refused as GuestProblem);
  return signInPage(guests, frame, at, { problem, chosen: guest.slug }, statusOf(problem));
}
