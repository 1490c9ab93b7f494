import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, ipv4, mac, moment, time, unlessEmpty, whole } from './fields.ts';

/** What an authority asks with: an address as the internet or as the guests' network saw it, and a time. */
export const whoWasItForm = z.object({
  address: ipv4,
  port: unlessEmpty(whole(1, 65_535).nullish()),
  /** In the time zone of the active location, unless it says otherwise. */
  at: z
    .string()
    .trim()
    .min(1)
    .pipe(moment.refine(text => text.length > 10, 'date')),
  mac: unlessEmpty(mac.nullish()),
  /** The number of the case, or why else one asks. Kept in the audit log. */
  reason: z.string().trim().min(1).max(300),
});
export type WhoWasItForm = z.output<typeof whoWasItForm>;

/**
 * What led to a guest: the router gave it the address (`address`), or lent it (`lease`); the router's log says that it
 * turned the address into the one asked for (`translation`), or that the guest used the port asked for while the router had
 * the address asked for (`port`); or no more than that the guest was online behind that address then (`behind`).
 */
export const ties = ['translation', 'address', 'lease', 'port', 'behind'] as const;

/**
 * What proves a tie, strongest first. `certificate`: log lines over TLS with the device's certificate. `accounting`: RADIUS
 * accounting with the device's secret or certificate. `address`: log lines from an address that the device had proven; guests behind
 * that address, and over UDP a forger of sender addresses, could have sent them too. `operator`: log lines from an address that an
 * operator trusts. `portal`: the address that the guest's browser gave to the portal. `unproven`: log lines from before 0.6.0, whose
 * source was not checked.
 */
export const identityProofs = ['certificate', 'accounting', 'address', 'operator', 'portal', 'unproven'] as const;
export type IdentityProof = (typeof identityProofs)[number];

const line = z.object({ at: time, type: z.string(), text: z.string(), proof: z.enum(identityProofs) });

export const identityMatch = z.object({
  tie: z.enum(ties),
  proof: z.enum(identityProofs),
  /** The time asked for that this match answers: a local time may exist twice. */
  asked_at: time,
  /** The session began or ended within five minutes of the time asked for, and was not open at that time. */
  near: z.boolean(),
  /** The session was open at the time asked for, and the source of what ties it is proven. */
  exact: z.boolean(),
  /** Exact, about this guest only, and proven by a secret or certificate of the device, so it cannot be forged. */
  certain: z.boolean(),
  session: z.object({
    id,
    started_at: time,
    ended_at: time.nullable(),
    client_mac: z.string().nullable(),
    client_ip: z.string().nullable(),
    user_name: z.string(),
    upload: z.number(),
    download: z.number(),
  }),
  /** Null: the device needed no sign-in, or the guest's account is gone. Masked for those without `view-clients`. */
  guest: z
    .object({
      id,
      name: z.string(),
      provider_type: z.string(),
      phone: z.string().nullable(),
      email: z.string().nullable(),
      username: z.string().nullable(),
      room_number: z.string().nullable(),
      citizen_id: z.string().nullable(),
      birth_date: z.string().nullable(),
      created_at: time,
    })
    .nullable(),
  consent: z.object({ version: z.string(), language: z.string(), agreed_at: time }).nullable(),
  location: z.object({ id, name: z.string() }),
  device: z.object({ id, name: z.string(), nas_identifier: z.string(), address: z.string().nullable() }).nullable(),
  /** `dhcp`: as the router's log says; `accounting`: as RADIUS accounting reported with the session. */
  lease: z.object({ source: z.enum(['dhcp', 'accounting']), address: z.string(), at: time }).nullable(),
  /** Lines of the router's log about it. */
  lines: z.array(line),
});
export type IdentityMatch = z.output<typeof identityMatch>;

export const whoWasIt = z.object({
  asked: z.object({
    address: z.string(),
    port: z.number().nullable(),
    at: time,
    /** The second moment of a local time that exists twice, as when clocks are set back. Both are searched. */
    also_at: time.nullable(),
    mac: z.string().nullable(),
    reason: z.string(),
    time_zone: z.string(),
  }),
  looked_up_at: time,
  /** False: there was more in the logs than is read for one answer, or a log file is missing. */
  complete: z.boolean(),
  matches: z.array(identityMatch),
});
export type WhoWasIt = z.output<typeof whoWasIt>;

export const identityApi = {
  find: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/who-was-it',
    access: 'view-identity',
    summary: 'Which guest stood behind an address at some time; every question is kept in the audit log',
    body: whoWasItForm,
    reply: one(whoWasIt),
    status: 200,
  }),
  pdf: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/who-was-it/pdf',
    access: 'view-identity',
    summary: 'The same as a PDF, signed with the key of the tenant (PKCS#7)',
    body: whoWasItForm,
    reply: 'file',
    status: 200,
  }),
  certificate: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/who-was-it/certificate',
    access: 'view-identity',
    summary: 'The certificate that the signatures of these PDFs are checked with (PEM)',
    reply: 'text',
  }),
} as const;
