import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { fill, type Language } from './errors.ts';
import {
  formatMac,
  id,
  idParams,
  moment,
  ofLocations,
  pageQuery,
  queryFlag,
  queryList,
  similar,
  text,
  time,
  unmapIpv4,
} from './fields.ts';

/** Why a guest is refused. `en` is also the Reply-Message of RADIUS, which a router may pass to the portal. */
export const signInRefusals = {
  unknown_device: { en: 'This network is not known.', tr: 'Bu ağ tanınmıyor.' },
  wrong_credentials: { en: 'The username or the password is wrong.', tr: 'Kullanıcı adı veya parola hatalı.' },
  unsupported_method: {
    en: 'This network does not support this way of signing in.',
    tr: 'Bu ağ bu giriş yöntemini desteklemiyor.',
  },
  blocked: { en: 'You are not allowed to use this network.', tr: 'Bu ağı kullanmanıza izin verilmiyor.' },
  not_yet: { en: 'Your access has not begun yet.', tr: 'Erişim süreniz henüz başlamadı.' },
  expired: { en: 'Your access has ended.', tr: 'Erişim süreniz sona erdi.' },
  over_limit: {
    en: 'Too many devices are signed in with this account.',
    tr: 'Bu hesapla çok fazla cihaz giriş yapmış.',
  },
  over_quota: { en: 'Your data allowance for today is used up.', tr: 'Bugünkü veri kotanız doldu.' },
  over_time: { en: 'Your time for today is used up.', tr: 'Bugünkü süreniz doldu.' },
  license_over: {
    en: 'Guest access is out of service here at the moment.',
    tr: 'Misafir internet hizmeti şu anda kullanıma kapalı.',
  },
  hotspot_off: {
    en: 'Guest access is switched off here at the moment.',
    tr: 'Misafir internet erişimi şu anda kapalı.',
  },
} as const;
export type SignInRefusal = keyof typeof signInRefusals;
/** Why a visitor is refused. Another method than PAP or CHAP is refused before a visitor is looked up. */
export type VisitorRefusal = Exclude<SignInRefusal, 'unsupported_method'>;

/** The refusal of a Reply-Message that a router passes in `error=`; undefined for a message of the router itself. */
export const refusalOfReply = (message: string): SignInRefusal | undefined =>
  (Object.keys(signInRefusals) as SignInRefusal[]).find(key => signInRefusals[key].en === message.trim());

export const sayRefusal = (key: SignInRefusal, language: Language): string => fill(signInRefusals[key][language]);

export const commandStates = ['requested', 'acknowledged', 'refused', 'no-answer', 'confirmed'] as const;

/**
 * A command to a router that ends a session or changes its limits. `words`: the router's response, such as an Error-Cause of
 * RFC 5176. `reason` limit: the visitor has used up the time or volume.
 */
export const sessionCommand = z.object({
  id,
  kind: z.enum(['end', 'change']),
  state: z.enum(commandStates),
  words: z.string(),
  reason: z.enum(['operator', 'licence', 'blocked', 'stay-over', 'guest', 'limit']),
  requested_at: time,
  answered_at: time.nullable(),
  /** The gateway fetches the command, so the session ends within so many seconds. */
  within: z.number().nullable(),
});
export type SessionCommand = z.output<typeof sessionCommand>;

/**
 * False: the gateway has not reported what the session used. `upload` and `download` are then 0 and no measurement. Gateways without
 * accounting never report, or only when they are polled or when the session ends.
 */
const figuresReported = z.boolean();
const named = z.object({ id, name: z.string() });
const client = z.object({ id, name: z.string(), provider_type: z.string(), room_number: z.string().nullable() });

/** `rhid` is the session's own id. Bytes: upload comes from the guest. `client` null: a device that needs no sign-in. */
export const onlineSession = z.object({
  rhid: id,
  name: z.string().nullable(),
  client: client.nullable(),
  device: named,
  device_name: z.string(),
  network: z.string().nullable(),
  client_mac: z.string().nullable(),
  client_ip: z.string().nullable(),
  /** IPv6 addresses and delegated prefixes, the latest first. */
  ipv6: z.array(z.string()),
  session_start_time: time,
  upload: z.number(),
  download: z.number(),
  figures_reported: figuresReported,
  updated_at: time,
  /** The latest command about the session. */
  kick: sessionCommand.nullable(),
  /** False: its gateway takes no command, so the session can't be ended from here. */
  endable: z.boolean(),
});
export type OnlineSession = z.output<typeof onlineSession>;

/** A session of the history; `ended_at` null: still open. */
export const sessionRow = z.object({
  id,
  client: client.extend({ phone: z.string().nullable() }).nullable(),
  client_mac: z.string().nullable(),
  client_ip: z.string().nullable(),
  ipv6: z.array(z.string()),
  device_id: id,
  device: named.nullable(),
  started_at: time,
  ended_at: time.nullable(),
  upload: z.number(),
  download: z.number(),
  figures_reported: figuresReported,
  close_reason: z.enum(['stop', 'replaced', 'roamed', 'stale', 'restart']).nullable(),
});
export type SessionRow = z.output<typeof sessionRow>;

/** A guest device with more than one session. `total`: their number. `accounting`: the latest one, with RADIUS names. */
export const macSession = z.object({
  client_mac: z.string(),
  client: named.extend({ provider_id: z.string().nullable(), provider_type: z.string() }).nullable(),
  accounting: z.object({
    acctstarttime: time,
    acctstoptime: time.nullable(),
    acctinputoctets: z.number(),
    acctoutputoctets: z.number(),
    framedipaddress: z.string().nullable(),
  }),
  device_id: id,
  total: z.number(),
  figures_reported: figuresReported,
});
export type MacSession = z.output<typeof macSession>;

/** A failed sign-in. */
export const signInAttempt = z.object({
  provider_slug: z.string(),
  /** The input by field name, with passwords as dots. Empty after the erasure. */
  params: z.record(z.string(), z.string()),
  reason: z.string(),
  /** Whether a visitor has the username. Null for other methods, and after the erasure. */
  is_known: z.boolean().nullable(),
  /** Null after the device was deleted. */
  device: named.nullable(),
  created_at: time,
});

/** Failed sign-ins of one guest device from one address; `attempts` holds the latest 50 of `total`. */
export const failedLogin = z.object({
  client_mac: z.string().nullable(),
  client_ip: z.string().nullable(),
  total: z.number(),
  last_at: time,
  attempts: z.array(
    signInAttempt.extend({
      /** The visitor, for users who may see visitors. Null where it is not known. */
      visitor: named.nullable(),
      /** Another location's visitor with the unknown username, for users who may see visitors there. */
      elsewhere: named.extend({ location: named }).nullable(),
    }),
  ),
});
export type FailedLogin = z.output<typeof failedLogin>;

/** `told`: the sessions that get a command. `skipped`: the others, which have ended or are just being ended. */
const selectedResult = z.object({ told: z.number(), skipped: z.number() });
export type EndedSessions = z.output<typeof selectedResult>;

const macPart = z.string().max(64).transform(formatMac).optional();
const ipPart = z
  .string()
  .trim()
  .max(45)
  .regex(/^[\da-f.:]*$/i, 'ip_address')
  .transform(unmapIpv4)
  .optional();

/** The filters of lists of past sessions: any part of an address. */
export const guestFilters = { client_mac: macPart, user_ip: ipPart };

const byStart = { sort: z.enum(['started']).default('started'), order: z.enum(['asc', 'desc']).default('desc') };

export const sessionsApi = {
  online: endpoint({
    method: 'GET',
    path: '/v1/panel/onlines',
    access: 'view-basic-stats',
    summary:
      'Open sessions, by default newest first; mac and ip match any part, search matches the texts of the visitor, the beginning of a MAC address, or an Acct-Session-Id',
    query: z.object({
      search: text.optional(),
      similar,
      mac: macPart,
      ip: ipPart,
      ...ofLocations(),
      deviceIds: queryList(id),
      ...byStart,
      ...pageQuery(1000, 200),
    }),
    reply: page(onlineSession),
  }),
  kick: endpoint({
    method: 'POST',
    path: '/v1/panel/kick/:id',
    access: 'update-clients',
    summary: "End an open session: sends a command to its router and returns the router's response",
    params: idParams,
    reply: one(sessionCommand),
    status: 200,
  }),
  endSelected: endpoint({
    method: 'POST',
    path: '/v1/panel/onlines/selected/end',
    access: 'update-clients',
    summary: 'End several open sessions: queues a command for each router; those that have ended meanwhile are skipped',
    body: z.object({ ids: z.array(id).min(1).max(1000) }),
    reply: one(selectedResult),
    status: 200,
  }),
  history: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/sessions',
    access: 'view-basic-stats',
    summary:
      'Sessions that started in a period, by default newest first; with download=true all of them as session-reports.csv',
    query: z.object({
      /** The beginning of a MAC address, an Acct-Session-Id, or part of the visitor's name, username, e-mail address, phone or room (needs the permission view-clients). */
      search: text.optional(),
      ...guestFilters,
      /** Two times in the time zone of the location, inclusive; default: today. */
      session_date: queryList(moment),
      ...ofLocations(),
      deviceIds: queryList(id),
      download: queryFlag.optional(),
      ...byStart,
      ...pageQuery(1_000_000, 100),
    }),
    csvDownload: true,
    reply: page(sessionRow),
  }),
  byMac: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/multiple-sessions',
    access: 'view-basic-stats',
    summary: 'Guest devices with more than one session, by default the most frequent first, without blocked ones',
    query: z.object({
      client_mac: macPart,
      ...ofLocations(),
      sort: z.enum(['sessions']).default('sessions'),
      order: z.enum(['asc', 'desc']).default('desc'),
      ...pageQuery(1000, 100),
    }),
    reply: page(macSession),
  }),
  failedLogins: endpoint({
    method: 'GET',
    path: '/v1/panel/failed-login',
    access: 'view-basic-stats',
    summary:
      'Failed sign-ins of a period (default: the last 7 days), by guest device and address; mac and ip match any part',
    query: z.object({
      mac: macPart,
      ip: ipPart,
      /** The typed username, e-mail address, phone, room or identity number, whole (needs the permission view-clients). */
      typed: text.optional(),
      start_at: moment.optional(),
      end_at: moment.optional(),
      ...ofLocations(),
      deviceIds: queryList(id),
      ...pageQuery(),
    }),
    reply: page(failedLogin),
  }),
} as const;
