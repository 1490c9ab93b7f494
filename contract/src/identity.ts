import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, ipAddress, mac, moment, time, unlessEmpty, whole } from './fields.ts';

/** An address, or an IPv6 prefix such as one delegated to a guest device. */
const guestAddress = z.union(
  [
    ipAddress,
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.cidrv6().regex(/\/(3[2-9]|[4-9]\d|1\d\d)$/)),
  ],
  'guest_address',
);

/** The query of an authority: a public or private address, and a time. */
export const whoWasItForm = z.object({
  address: guestAddress,
  port: unlessEmpty(whole(1, 65_535).nullish()),
  /** In the time zone of the active location, unless it has an offset. */
  at: z
    .string()
    .trim()
    .min(1)
    .pipe(moment.refine(text => text.length > 10, 'date')),
  mac: unlessEmpty(mac.nullish()),
  /** The case number or another reason. Stored in the audit log. */
  reason: z.string().trim().min(1).max(300),
});
export type WhoWasItForm = z.output<typeof whoWasItForm>;

/**
 * How a guest was found. `address`: the session had the address. `lease`: DHCP had leased it to the guest's device.
 * `translation`: the router's log shows a NAT translation to it. `port`: the guest used the requested port while the router had
 * the address. `behind`: the guest was online behind the address.
 */
export const ties = ['translation', 'address', 'lease', 'port', 'behind'] as const;

/**
 * The proof of a tie, strongest first. `certificate`: log lines over TLS with the device's certificate. `accounting`: RADIUS
 * accounting with the device's secret or certificate. `address`: log lines from an address that the device had proven. Guests
 * behind that address, or a sender who forges UDP source addresses, could have sent them too. `operator`: log lines from an
 * address that an operator trusts. `portal`: the address that the guest's browser sent to the portal. `unproven`: log lines
 * from before 0.6.0, whose source was not checked.
 */
export const identityProofs = ['certificate', 'accounting', 'address', 'operator', 'portal', 'unproven'] as const;
export type IdentityProof = (typeof identityProofs)[number];

const line = z.object({ at: time, type: z.string(), text: z.string(), proof: z.enum(identityProofs) });

export const identityMatch = z.object({
  tie: z.enum(ties),
  proof: z.enum(identityProofs),
  /** The requested time of this match. A local time may occur twice. */
  asked_at: time,
  /** The session started or ended within five minutes of the requested time, but was not open at that time. */
  near: z.boolean(),
  /** The session was open at the requested time, and the source of the evidence is proven. */
  exact: z.boolean(),
  /** Exact, about this guest only, and proven by a secret or certificate of the device, so it cannot be forged. */
  certain: z.boolean(),
  session: z.object({
    id,
    started_at: time,
    ended_at: time.nullable(),
    client_mac: z.string().nullable(),
    client_ip: z.string().nullable(),
    /** Its IPv6 addresses and delegated prefixes, with the first and last report of each. */
    ipv6: z.array(z.object({ address: z.string(), first_at: time, last_at: time })),
    user_name: z.string(),
    upload: z.number(),
    download: z.number(),
    /** False: the gateway has not reported the use. */
    figures_reported: z.boolean(),
  }),
  /** Null: the device needed no sign-in, or the guest's account was deleted. Masked for those without `view-clients`. */
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
  /** `dhcp`: from the router's log. `accounting`: from the RADIUS accounting of the session. */
  lease: z.object({ source: z.enum(['dhcp', 'accounting']), address: z.string(), at: time }).nullable(),
  /** The lines of the router's log that lead to the guest. */
  lines: z.array(line),
});
export type IdentityMatch = z.output<typeof identityMatch>;

export const whoWasIt = z.object({
  asked: z.object({
    address: z.string(),
    port: z.number().nullable(),
    at: time,
    /** The second occurrence of a local time when clocks are set back. Both are searched. */
    also_at: time.nullable(),
    mac: z.string().nullable(),
    reason: z.string(),
    time_zone: z.string(),
  }),
  looked_up_at: time,
  /** False: the logs had more than one search reads, or a log file is missing. */
  complete: z.boolean(),
  matches: z.array(identityMatch),
});
export type WhoWasIt = z.output<typeof whoWasIt>;

export const identityApi = {
  find: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/who-was-it',
    access: 'view-identity',
    summary: 'Find the guest behind an address at a time; every search is written to the audit log',
    body: whoWasItForm,
    reply: one(whoWasIt),
    status: 200,
  }),
  pdf: endpoint({
    method: 'POST',
    path: '/v1/panel/reports/who-was-it/pdf',
    access: 'view-identity',
    summary: 'The result as a PDF, signed with the key of the tenant (PKCS#7)',
    body: whoWasItForm,
    reply: 'file',
    status: 200,
  }),
  certificate: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/who-was-it/certificate',
    access: 'view-identity',
    summary: 'The certificate for checking the signatures of these PDFs (PEM)',
    refusals: [409],
    reply: 'text',
  }),
} as const;
