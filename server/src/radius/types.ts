import type { TerminateCause } from '@portico/radius/attributes.ts';

/** A router or access controller, found by its NAS-Identifier. */
export interface RadiusDevice {
  readonly id: string;
  readonly tenantId: string;
  readonly secret: Buffer;
  /** Drop Access-Requests without Message-Authenticator. Set when the device first sends a valid one. */
  readonly requireMessageAuthenticator: boolean;
  /** Source addresses of packets that proved to come from the device. */
  readonly provenAddresses?: ReadonlySet<string> | undefined;
  readonly locationId?: string | undefined;
  /** The proxy that forwards this request. `secret` is then the proxy's. */
  readonly proxy?: RadiusProxy | undefined;
}

/** A proxy between routers and this server, which a tenant trusts to speak for its devices. */
export interface RadiusProxy {
  readonly id: string;
  readonly tenantId: string;
  /** The source of its UDP packets; undefined: RADIUS over TLS only. */
  readonly address: string | undefined;
  readonly secret: Buffer;
  readonly requireMessageAuthenticator: boolean;
  /** The locations whose devices it may speak for; empty: all of the tenant. */
  readonly locations: ReadonlySet<string>;
}

/** A device identified by its certificate (RADIUS over TLS). */
export interface CertifiedDevice {
  /** Id of the certificate. */
  readonly id: string;
  /** Its secret is the same for all devices, because the certificate authenticates them (RFC 6614 section 2.3). */
  readonly device: RadiusDevice;
  readonly nasIdentifier: string;
  readonly expiresAt: Date;
}

/** A proxy identified by its certificate. Its requests name their device by NAS-Identifier. */
export interface CertifiedProxy {
  readonly id: string;
  readonly proxy: RadiusProxy;
  readonly expiresAt: Date;
}

export type CertifiedPeer = CertifiedDevice | CertifiedProxy;

/**
 * A verified Access-Request. All texts can be stored (no NUL, no lone surrogate) and have at most 253 bytes. Addresses
 * are well formed or absent.
 */
export interface AuthorizeRequest {
  readonly device: RadiusDevice;
  /** True with a valid Message-Authenticator, over TLS, or from a proven address of the device. */
  readonly proven: boolean;
  /** The Request Authenticator in hex, which only retransmissions share (RFC 2865 section 3). */
  readonly key: string;
  readonly userName: string;
  /**
   * `unsupported`: EAP or MS-CHAP. `none`: the packet has no password. With both, `checkPassword` is always false.
   */
  readonly method: 'pap' | 'chap' | 'unsupported' | 'none';
  /** The typed password, known with PAP only. Never store or log it, and keep it no longer than the request. */
  readonly password: string | undefined;
  /** Whether the guest typed this clear password. Compares in constant time. */
  readonly checkPassword: (clear: string) => boolean;
  /** The guest's MAC in upper case with colons, if Calling-Station-Id has one. */
  readonly mac: string | undefined;
  readonly framedIp: string | undefined;
  readonly calledStationId: string | undefined;
  readonly nasPortId: string | undefined;
  readonly sessionId: string | undefined;
  /** The packet's source address; behind NAT this is not the device's own address. */
  readonly sourceIp: string;
  readonly receivedAt: Date;
}

/** The limits of a session. An absent limit means unlimited; 0 or less ends the session at once. */
export interface SessionLimits {
  readonly sessionTimeoutSeconds?: number | undefined;
  readonly idleTimeoutSeconds?: number | undefined;
  /** From the guest, in bit/s. */
  readonly uploadBps?: number | undefined;
  /** To the guest, in bit/s. */
  readonly downloadBps?: number | undefined;
  /** Both directions together. */
  readonly totalBytes?: number | undefined;
  readonly addressList?: string | undefined;
}

export interface AcceptDecision extends SessionLimits {
  readonly outcome: 'accept';
  readonly interimIntervalSeconds?: number | undefined;
  /** The router repeats it in all accounting of the session. At most 253 bytes; must not be guessable. */
  readonly class?: string | undefined;
  /** The user name for accounting, if it differs from the typed one (RFC 2865 section 5.1). */
  readonly userName?: string | undefined;
  readonly replyMessage?: string | undefined;
}

/** `ignore` sends no reply. */
export type AuthorizeDecision =
  | AcceptDecision
  | { readonly outcome: 'reject'; readonly replyMessage: string }
  | { readonly outcome: 'ignore' };

interface AccountingBase {
  readonly device: RadiusDevice;
  readonly sourceIp: string;
  /** Time of the event: the time of receipt minus Acct-Delay-Time (at most 30 days). */
  readonly at: Date;
  readonly nasIp: string | undefined;
}

/** A verified Accounting-Request about one session; texts and addresses as in `AuthorizeRequest`. */
export interface SessionRecord extends AccountingBase {
  readonly status: 'start' | 'interim' | 'stop';
  /** Acct-Session-Id: unique per device, and only until the device restarts. */
  readonly sessionId: string;
  readonly class: string | undefined;
  readonly userName: string;
  readonly mac: string | undefined;
  readonly framedIp: string | undefined;
  /** IPv6 addresses and prefixes of the guest. */
  readonly networks: readonly string[];
  readonly calledStationId: string | undefined;
  readonly nasPortId: string | undefined;
  readonly sessionSeconds: number;
  /** From the guest; 0 when absent or impossible (2^53 and more). */
  readonly uploadBytes: number;
  /** To the guest; otherwise like `uploadBytes`. */
  readonly downloadBytes: number;
  /** Only of a `stop`. */
  readonly terminateCause: TerminateCause | undefined;
}

/** Accounting-On or -Off: all sessions of this device have ended. */
export interface DeviceRecord extends AccountingBase {
  readonly status: 'on' | 'off';
}

export type AccountingRecord = SessionRecord | DeviceRecord;

/** Facts about a device from a verified packet. */
export interface SeenFacts {
  readonly sourceIp: string;
  readonly kind: 'auth' | 'acct' | 'status';
  /** How the packet proves the source address; undefined for a replay from another address. */
  readonly proof: 'radius' | 'radsec' | undefined;
  readonly nasIp: string | undefined;
  readonly at: Date;
  /** How far the device's clock is ahead, from Event-Timestamp. */
  readonly clockSkewSeconds?: number | undefined;
}

/**
 * A router that sends packets but is no device of this installation. None of its attributes are proven, except through a
 * proxy.
 */
export interface UnknownDevice {
  readonly sourceIp: string;
  /** Its NAS-Identifier; empty if it sent none. Fit for display: see `createUnknownDevices`. */
  readonly nasIdentifier: string;
  /** The trusted proxy that proved to have forwarded its packets. */
  readonly proxy: Pick<RadiusProxy, 'id' | 'tenantId'> | undefined;
  readonly packets: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The features' handlers. The RADIUS service passes them in, because the listener imports no feature. */
export interface RadiusHandlers {
  readonly resolveDevice: (nasIdentifier: string) => Promise<RadiusDevice | undefined>;
  /** The devices and proxies of valid certificates, by fingerprint (SHA-256, hex). */
  readonly resolveCertificates: (fingerprints: readonly string[]) => Promise<ReadonlyMap<string, CertifiedPeer>>;
  /** The proxies of all tenants that have an address. */
  readonly listProxies: () => Promise<readonly RadiusProxy[]>;
  /** Called at most every ten seconds per proxy. */
  readonly seenProxy: (proxy: RadiusProxy, at: Date) => void | Promise<void>;
  /** A connection with this certificate was opened or is in use. Called at most once a minute per connection. */
  readonly seenCertificate: (device: RadiusDevice, certificateId: string) => void | Promise<void>;
  /**
   * Decides a batch in one transaction and returns the decisions in the order of the requests. If it rejects, no request
   * is answered and the routers retry. It must settle, so set a statement timeout: only two batches run at a time. A decision
   * that takes longer is a promise, and only its own request waits for it.
   */
  readonly authorize: (
    batch: readonly AuthorizeRequest[],
  ) => Promise<readonly (AuthorizeDecision | Promise<AuthorizeDecision>)[]>;
  /** Commits a batch, which is acknowledged afterwards. It may reject and must settle, like `authorize`. */
  readonly account: (batch: readonly AccountingRecord[]) => Promise<void>;
  /** Called until `resolveDevice` returns the flag. */
  readonly learnedMessageAuthenticator: (device: RadiusDevice) => void | Promise<void>;
  /** Called at most every ten seconds per device and kind. */
  readonly seen: (device: RadiusDevice, facts: SeenFacts) => void | Promise<void>;
  /** A packet names this device but was made with another secret. Called at most every ten seconds per device. */
  readonly badSecret?: (device: RadiusDevice, facts: Pick<SeenFacts, 'sourceIp' | 'at'>) => void | Promise<void>;
  /** The unknown devices heard from in the last few seconds. Their number is limited. */
  readonly unknownDevices?: (heard: readonly UnknownDevice[]) => void | Promise<void>;
  /** No packet follows: writes what is still collected. */
  readonly ended?: () => Promise<void>;
  readonly count: Count;
  /** Logs an error. `where` names the handler; the listener's own errors contain no personal data. */
  readonly failed: (where: string, error: unknown) => void;
}

/** The listener's counters, which the service registers. */
export const radiusCounters = {
  radius_packets_total: { help: 'Datagrams received', labels: ['listener'] },
  radius_dropped_total: { help: 'Datagrams not answered, by reason', labels: ['listener', 'reason'] },
  radius_duplicates_total: {
    help: 'Retransmissions: answered from the cache or still in progress',
    labels: ['listener', 'state'],
  },
  radius_unproven_total: {
    help: 'Access-Requests without Message-Authenticator from an address that their device has not proven',
    labels: ['listener'],
  },
  radius_replies_total: { help: 'Replies sent, by packet code', labels: ['listener', 'code'] },
  radsec_connections_total: { help: 'RADIUS over TLS: connections of devices', labels: [] },
  radsec_refused_total: { help: 'RADIUS over TLS: connections refused or ended, by reason', labels: ['reason'] },
  radius_batches_total: { help: 'Batches handed to the database', labels: ['listener', 'outcome'] },
} as const;

export type Count = (name: keyof typeof radiusCounters, labels: Readonly<Record<string, string>>) => void;
