import { attribute, code, type TerminateCause } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { readText } from '@portico/radius/packet.ts';
import { type Clock, createClock } from './clock.ts';
import { type CoaBehaviour, openCoaResponder } from './coa-responder.ts';
import type { GuestSide } from './guest-side.ts';
import { openHotspotPages } from './hotspot-pages.ts';
import { createLeases } from './leases.ts';
import { openOpnsensePages } from './opnsense-pages.ts';
import { type PostBrandName, postBrands } from './post-brands.ts';
import { openPostPages } from './post-pages.ts';
import { createRandom, type Random } from './random.ts';
import { type Management, openManagement } from './router-os/management.ts';
import type { RouterOs } from './router-os/router-os.ts';
import {
  accessAttributes,
  accountingAttributes,
  answerAttributes,
  bootAttributes,
  type RouterIdentity,
} from './router-packets.ts';
import { addTraffic, dueCause, type GuestDevice, type HotspotSession, readIdentity, readLimits } from './session.ts';
import { openSophosPages } from './sophos-pages.ts';
import { type LogTopic, openSyslog } from './syslog.ts';
import { openUamPages } from './uam-pages.ts';

export interface RouterOptions {
  readonly nasIdentifier: string;
  readonly secret: string;
  readonly radius: { readonly host: string; readonly authPort: number; readonly acctPort: number };
  /** The guest portal's origin, such as `http://localhost:8081`; guests are sent to `/w/{nasIdentifier}` there. */
  readonly captiveUrl?: string | undefined;
  /** Without it no log lines are sent. */
  readonly syslog?: { readonly host: string; readonly port: number } | undefined;
  /** The local address of all its sockets; on Linux each router may have its own, such as 127.9.0.1. */
  readonly address?: string | undefined;
  /** Ports of the CoA responder and of the hotspot's pages; 0 (free ones) when left out. */
  readonly coaPort?: number | undefined;
  readonly httpPort?: number | undefined;
  /** The files of the hotspot's html-directory, by name. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  /** Makes it a Sophos firewall with this template in its captive portal. */
  readonly sophosPage?: string | undefined;
  /** Makes it a gateway that speaks UAM, such as CoovaChilli, with this portal and `uamsecret`. */
  readonly uam?: { readonly portalUrl: string; readonly secret: string } | undefined;
  /** Makes it a gateway of this brand, whose guests post their ticket to it. */
  readonly post?: { readonly brand: PostBrandName; readonly portalUrl: string; readonly page?: string } | undefined;
  /** Makes it an OPNsense firewall with this template in its captive portal. */
  readonly opnsensePage?: string | undefined;
  /** The first three octets of its guests' addresses. */
  readonly network?: string | undefined;
  /** Seconds by which its clock is ahead. */
  readonly clockSkew?: number | undefined;
  readonly passwordBy?: 'pap' | 'chap' | undefined;
  /** Each RADIUS request: milliseconds per attempt, and attempts. */
  readonly timeoutMs?: number | undefined;
  readonly attempts?: number | undefined;
  /** Opens REST, the binary API and the polling scheduler, with the panel's `script` pasted. */
  readonly management?: Management | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface RouterStats {
  accepted: number;
  rejected: number;
  unanswered: number;
  /** Accounting-Requests: sent, answered and given up. */
  accounted: number;
  acknowledged: number;
  lost: number;
  readonly ended: Partial<Record<TerminateCause, number>>;
}

export interface Router extends GuestSide {
  readonly address: string;
  readonly coaPort: number;
  /** Origin of the hotspot's pages. */
  readonly hotspotUrl: string;
  readonly stats: Readonly<RouterStats>;
  /** The management services, if `management` is set. */
  readonly os: RouterOs | undefined;
  /** Treats browsers from this machine as this device, for tests with a real browser. */
  readonly seat: (device: GuestDevice) => void;
  readonly log: (topic: LogTopic, message: string) => void;
  readonly sessions: () => HotspotSession[];
  /** Resolves with the cause when the session ends, or with undefined after a loss of power. */
  readonly sessionEnded: (session: HotspotSession) => Promise<TerminateCause | undefined>;
  readonly behaveOnCoa: (behaviour: CoaBehaviour) => void;
  /** Genuine Disconnect- and CoA-Requests received, retransmissions included. */
  readonly coaRequests: () => number;
  /** The same without retransmissions. */
  readonly coaCommands: () => number;
  /** Loses power and restarts: sessions are lost without a Stop, and Accounting-On follows. */
  readonly powerCut: () => Promise<void>;
  /** Resolves when every Accounting-Request has its response. */
  readonly settled: () => Promise<void>;
  /** Ends all sessions, sends Accounting-Off, closes everything. */
  readonly close: () => Promise<void>;
}

const tickMs = 100;

/** Starts a router like a MikroTik with a hotspot and sends Accounting-On. */
export const startRouter = async (options: RouterOptions): Promise<Router> => {
  const { nasIdentifier, address = '127.0.0.1', network = '10.5.50', clock = createClock() } = options;
  const random = options.random ?? createRandom(Date.now());
  const secret = Buffer.from(options.secret);
  const identity: RouterIdentity = {
    nasIdentifier,
    nasIp: '192.168.88.1',
    serverName: 'hotspot1',
    interfaceName: 'bridge-guest',
    clockSkew: options.clockSkew,
  };
  const stats: RouterStats = {
    accepted: 0,
    rejected: 0,
    unanswered: 0,
    accounted: 0,
    acknowledged: 0,
    lost: 0,
    ended: {},
  };
  const sessions = new Map<string, HotspotSession>();
  const watchers = new WeakMap<HotspotSession, PromiseWithResolvers<TerminateCause | undefined>>();
  const underWay = new Set<Promise<void>>();
  let behaviour: CoaBehaviour = 'ack';
  let nextSession = random.below(2 ** 24) * 256;

  const clientOf = (port: number) =>
    openClient({
      host: options.radius.host,
      port,
      secret,
      from: address,
      timeoutMs: options.timeoutMs ?? 3000,
      attempts: options.attempts ?? 3,
      requireMessageAuthenticator: true,
    });
  const auth = clientOf(options.radius.authPort);
  const acct = clientOf(options.radius.acctPort);
  const syslog = options.syslog && openSyslog({ ...options.syslog, from: address, nasIdentifier });
  const log: Router['log'] = (topic, message) => syslog?.send(topic, message);

  const leases = createLeases(network, log);
  const limitsOf = options.post ? postBrands[options.post.brand].limits : readLimits;

  const account = (attributes: Buffer[]): Promise<void> => {
    stats.accounted += 1;
    const sending = acct.send({ code: code['Accounting-Request'], attributes }).then(reply => {
      if (reply) stats.acknowledged += 1;
      else stats.lost += 1;
      underWay.delete(sending);
    });
    underWay.add(sending);
    return sending;
  };

  const end = (session: HotspotSession, cause: TerminateCause): void => {
    if (sessions.get(session.device.mac) !== session) return;
    sessions.delete(session.device.mac);
    stats.ended[cause] = (stats.ended[cause] ?? 0) + 1;
    void account(accountingAttributes(identity, session, { status: 'Stop', now: clock.now(), cause }));
    watchers.get(session)?.resolve(cause);
  };

  const signIn: Router['signIn'] = async (device, username, password) => {
    nextSession = (nextSession + 1) >>> 0;
    const sessionId = nextSession.toString(16).padStart(8, '0');
    const port = 0x80300000 + (nextSession & 0xfffff);
    const attributes = accessAttributes(identity, device, { userName: username, sessionId, port });
    if (typeof password !== 'string') attributes.push(...answerAttributes(password));
    // User-Password holds 128 bytes (RFC 2865 section 5.2); RouterOS refuses longer ones itself.
    if (typeof password === 'string' && Buffer.byteLength(password) > 128)
      return { outcome: 'rejected', message: 'invalid username or password' };
    const by =
      typeof password !== 'string' ? {} : options.passwordBy === 'chap' ? { chapPassword: password } : { password };
    const reply = await auth.send({ code: code['Access-Request'], attributes, ...by });
    if (!reply) {
      stats.unanswered += 1;
      return { outcome: 'no-answer' };
    }
    if (reply.code !== code['Access-Accept']) {
      stats.rejected += 1;
      const message = readText(reply, attribute['Reply-Message']) ?? 'invalid username or password';
      return { outcome: 'rejected', message };
    }
    stats.accepted += 1;
    const older = sessions.get(device.mac);
    if (older) end(older, 'User-Request');
    const now = clock.now();
    const session: HotspotSession = {
      id: sessionId,
      device,
      ...readIdentity(reply, username),
      limits: limitsOf(reply),
      startedAt: now,
      port,
      lastUsedAt: now,
      lastUpdateAt: now,
      uploadBytes: 0,
      downloadBytes: 0,
      leftAt: undefined,
    };
    sessions.set(device.mac, session);
    watchers.set(session, Promise.withResolvers());
    void account(accountingAttributes(identity, session, { status: 'Start', now }));
    return { outcome: 'accepted', session };
  };

  const update = (session: HotspotSession, now: number): void => {
    const interval = session.limits.interimInterval;
    // Interim updates are sent at most once per real second, whatever the time scale.
    if (!interval || now - session.lastUpdateAt < Math.max(interval * 1000, 1000 * clock.scale)) return;
    session.lastUpdateAt = now;
    void account(accountingAttributes(identity, session, { status: 'Interim-Update', now }));
  };

  const tick = setInterval(() => {
    const now = clock.now();
    for (const session of sessions.values()) {
      const cause = dueCause(session, now);
      if (cause) end(session, cause);
      else update(session, now);
      if (cause === 'Lost-Carrier') leases.release(session.device);
    }
  }, tickMs);

  const takesCommands =
    options.opnsensePage === undefined && (!options.post || postBrands[options.post.brand].takesCommands);
  const coa = await openCoaResponder({
    address,
    port: options.coaPort ?? 0,
    secret,
    behaviour: () => (takesCommands ? behaviour : 'silent'),
    sessions: () => sessions.values(),
    disconnect: session => end(session, 'Admin-Reset'),
    change: (session, request) => {
      const changed = Object.entries(limitsOf(request)).filter(([, value]) => value !== undefined);
      Object.assign(session.limits, Object.fromEntries(changed));
    },
  });

  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  const guestSide: GuestSide = {
    nasIdentifier,
    lease: leases.lease,
    signIn,
    signOut: device => {
      const session = sessions.get(device.mac);
      if (session) end(session, 'User-Request');
    },
    walkAway: device => {
      const session = sessions.get(device.mac);
      if (session) session.leftAt ??= clock.now();
      else leases.release(device);
    },
    use: (device, traffic) => {
      const session = sessions.get(device.mac);
      if (!session) return;
      addTraffic(session, traffic, clock.now());
      const cause = dueCause(session, clock.now());
      if (cause) end(session, cause);
    },
    session: mac => sessions.get(mac),
  };
  const os = await openManagement(
    options.management,
    { identity: nasIdentifier, address },
    {
      list: () =>
        [...sessions.values()].map(({ id, device, userName }) => ({
          id,
          mac: device.mac,
          ip: device.ip,
          user: userName,
        })),
      end: id => {
        const session = [...sessions.values()].find(one => one.id === id);
        if (session) end(session, 'Admin-Reset');
      },
    },
  );
  const { captiveUrl, httpPort: port = 0, sophosPage, opnsensePage, uam, post, files } = options;
  const at = { router: guestSide, address, port };
  const pages = uam
    ? await openUamPages({ ...at, ...uam })
    : post
      ? await openPostPages({ ...at, ...post })
      : opnsensePage !== undefined
        ? await openOpnsensePages({ ...at, page: opnsensePage })
        : sophosPage === undefined
          ? await openHotspotPages({ ...at, captiveUrl, random, files })
          : await openSophosPages({ ...at, page: sophosPage });
  await account(bootAttributes(identity, 'Accounting-On'));

  return {
    ...guestSide,
    address,
    coaPort: coa.port,
    hotspotUrl: pages.url,
    stats,
    os: os?.os,
    seat: pages.seat,
    log,
    sessions: () => [...sessions.values()],
    sessionEnded: session => watchers.get(session)?.promise ?? Promise.resolve(undefined),
    behaveOnCoa: chosen => {
      behaviour = chosen;
    },
    coaRequests: coa.requests,
    coaCommands: coa.commands,
    powerCut: async () => {
      for (const session of sessions.values()) watchers.get(session)?.resolve(undefined);
      sessions.clear();
      leases.clear();
      await account(bootAttributes(identity, 'Accounting-On'));
    },
    settled,
    close: async () => {
      clearInterval(tick);
      for (const session of sessions.values()) end(session, 'NAS-Reboot');
      await settled();
      await account(bootAttributes(identity, 'Accounting-Off'));
      auth.close();
      acct.close();
      syslog?.close();
      await Promise.all([coa.close(), pages.close(), os?.close()]);
    },
  };
};
