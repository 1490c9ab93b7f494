import { z } from 'zod';
import { endpoint, page } from './endpoint.ts';
import { id, idParams, pageQuery, time } from './fields.ts';
import { roomChargeStates } from './integration-names.ts';
import { saleKinds } from './sales.ts';
import { sessionCommand, sessionRow, signInAttempt } from './sessions.ts';
import { currencies } from './units.ts';

const named = z.object({ id, name: z.string() });

/**
 * A session of a visitor. For an open one: `kick` is its latest command, and `seconds_left` and `bytes_left` are the smallest remaining
 * limits, as its guest sees them. Null: unlimited, or the session is over.
 */
export const visitorSession = sessionRow.omit({ client: true }).extend({
  seconds_left: z.number().nullable(),
  bytes_left: z.number().nullable(),
  kick: sessionCommand.nullable(),
});
export type VisitorSession = z.output<typeof visitorSession>;

/** A guest device that a visitor was online with. */
export const visitorDevice = z.object({
  client_mac: z.string(),
  sessions: z.number(),
  upload: z.number(),
  download: z.number(),
  /** False: the gateways have reported the use of none of its sessions. */
  figures_reported: z.boolean(),
  first_at: time,
  last_at: time,
  /** The router of its last session. */
  device: named.nullable(),
});
export type VisitorDevice = z.output<typeof visitorDevice>;

export const visitorSale = z.object({
  id,
  kind: z.enum(saleKinds),
  days: z.number(),
  unit_price: z.number(),
  currency: z.enum(currencies),
  total: z.number(),
  profile: named.nullable(),
  sold_at: time,
  /** The number of reversed days of a sale. */
  reversed_days: z.number(),
  /** The purchase on the portal; null for a sale by the staff. */
  purchase_id: id.nullable(),
  /** The state of the charge to the hotel room; null: the sale was not charged to one. */
  room_charge: z.enum(roomChargeStates).nullable(),
  /** The sale that this row reverses; its days and total are negative. */
  reverses: id.nullable(),
  reason: z.string(),
});
export type VisitorSale = z.output<typeof visitorSale>;

/** An accepted version of the agreements, by a hash of their texts. `kinds`: the agreements in it. */
export const visitorConsent = z.object({
  version: z.string(),
  kinds: z.array(z.enum(['general', 'kvkk'])),
  language: z.string(),
  /** Null after the visitor was erased. */
  client_mac: z.string().nullable(),
  created_at: time,
});
export type VisitorConsent = z.output<typeof visitorConsent>;

/** `params` is empty once it was erased. */
export const visitorAttempt = signInAttempt.extend({
  client_mac: z.string().nullable(),
  client_ip: z.string().nullable(),
});
export type VisitorAttempt = z.output<typeof visitorAttempt>;

const list = <const P extends string, const S extends z.ZodType>(what: P, summary: string, row: S) =>
  endpoint({
    method: 'GET',
    path: `/v1/panel/client/:id/${what}`,
    access: 'view-clients',
    summary,
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(row),
  });

export const visitorPageApi = {
  sessions: list('sessions', 'Sessions of a visitor, newest first', visitorSession),
  devices: list('devices', 'Guest devices of a visitor, the last used first', visitorDevice),
  sales: list('sales', 'Sales to a visitor, newest first', visitorSale),
  consents: list('consents', 'Agreements that a visitor accepted, newest first', visitorConsent),
  attempts: list('failed-logins', 'Failed sign-ins of a visitor or of its guest devices, newest first', visitorAttempt),
} as const;
