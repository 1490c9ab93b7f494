import type { TerminateCause } from '@portico/radius/attributes.ts';

/** A router or access controller, as its NAS-Identifier finds it. */
export interface RadiusDevice {
  readonly id: string;
  readonly tenantId: string;
  readonly secret: Buffer;
  /** Access-Requests without Message-Authenticator are dropped; learned from the first one that carried it. */
  readonly requireMessageAuthenticator: boolean;
  /** The addresses that it has proven to be its own. */
  readonly provenAddresses?: ReadonlySet<string> | undefined;
}

/** A device as its certificate names it (RADIUS over TLS). */
export interface CertifiedDevice {
  /** Of the certificate. */
  readonly id: string;
  /** Its secret is the same for all: what keeps strangers out is the certificate (RFC 6614 section 2.3). */
  readonly device: RadiusDevice;
  readonly nasIdentifier: string;
  readonly expiresAt: Date;
}

/**
 * A verified Access-Request. All texts are storable (no NUL, no lone surrogate) and at most 253 bytes; addresses are
 * well formed or absent.
 */
export interface AuthorizeRequest {
  readonly device: RadiusDevice;
  /** The device sent it: it carries the Message-Authenticator, came over TLS, or came from a proven address of the device. */
  readonly proven: boolean;
  /** The same for a request and its retransmissions only: its Request Authenticator (RFC 2865 section 3), hex. */
  readonly key: string;
  readonly userName: string;
  /** `none`: the packet carries neither a User-Password nor a CHAP answer, and `checkPassword` is always false. */
  readonly method: 'pap' | 'chap' | 'none';
  /** The typed password, which only PAP carries. Never store or log it. */
  readonly password: string | undefined;
  /** Whether the guest knows this clear password, by PAP or CHAP, in constant time. */
  readonly checkPassword: (clear: string) => boolean;
  /** The guest's MAC in upper case with colons, where Calling-Station-Id holds one. */
  readonly mac: string | undefined;
  readonly framedIp: string | undefined;
  readonly calledStationId: string | undefined;
  readonly nasPortId: string | undefined;
  readonly sessionId: string | undefined;
  /** Where the packet came from; behind NAT this is not the device's own address. */
  readonly sourceIp: string;
  readonly receivedAt: Date;
}

/** What a router shall hold a session to. A limit that is absent is none; one of 0 or less ends the session at once. */
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
  /** Echoed by the router in all accounting of the session; at most 253 bytes, make it unguessable. */
  readonly class?: string | undefined;
  /** The name the router shall account by, where it differs from the one typed (RFC 2865 section 5.1). */
  readonly userName?: string | undefined;
  readonly replyMessage?: string | undefined;
}

/** `ignore` answers nothing, as if the packet had not come. */
export type AuthorizeDecision =
  | AcceptDecision
  | { readonly outcome: 'reject'; readonly replyMessage: string }
  | { readonly outcome: 'ignore' };

interface AccountingBase {
  readonly device: RadiusDevice;
  readonly sourceIp: string;
  /** When the event happened: the time of receipt less Acct-Delay-Time (at most 30 days). */
  readonly at: Date;
  readonly nasIp: string | undefined;
}

/** A verified Accounting-Request about one session; texts and addresses as in `AuthorizeRequest`. */
export interface SessionRecord extends AccountingBase {
  readonly status: 'start' | 'interim' | 'stop';
  /** Acct-Session-Id: unique on its device only, and only until that restarts. */
  readonly sessionId: string;
  readonly class: string | undefined;
  readonly userName: string;
  readonly mac: string | undefined;
  readonly framedIp: string | undefined;
  readonly calledStationId: string | undefined;
  readonly nasPortId: string | undefined;
  readonly sessionSeconds: number;
  /** From the guest; 0 when absent or beyond belief (2^53 and more). */
  readonly uploadBytes: number;
  /** To the guest; as `uploadBytes`. */
  readonly downloadBytes: number;
  /** Of a `stop`. */
  readonly terminateCause: TerminateCause | undefined;
}

/** Accounting-On or -Off: every session of this device, and of no other, is over. */
export interface DeviceRecord extends AccountingBase {
  readonly status: 'on' | 'off';
}

export type AccountingRecord = SessionRecord | DeviceRecord;

/** What a verified packet shows about its device. */
export interface SeenFacts {
  readonly sourceIp: string;
  readonly kind: 'auth' | 'acct' | 'status';
  /** How the packet proves that the source address is the device's; undefined for a copy of an earlier packet from elsewhere. */
  readonly proof: 'radius' | 'radsec' | undefined;
  readonly nasIp: string | undefined;
  readonly at: Date;
  /** How far its clock is ahead, if the packet says so (Event-Timestamp). */
  readonly clockSkewSeconds?: number | undefined;
}

/** What the listener asks of the features. It imports none of them: the radius service passes these in. */
export interface RadiusHandlers {
  readonly resolveDevice: (nasIdentifier: string) => Promise<RadiusDevice | undefined>;
  /** The devices of certificates that are in force, by their fingerprints (SHA-256, hex). */
  readonly resolveCertificates: (fingerprints: readonly string[]) => Promise<ReadonlyMap<string, CertifiedDevice>>;
  /** A connection with this certificate was opened or is in use; at most once a minute per connection. */
  readonly seenCertificate: (device: RadiusDevice, certificateId: string) => void | Promise<void>;
  /**
   * Decides a batch in one transaction; the decisions are in the order of the requests. Answers go out after it has
   * resolved. When it rejects, no request is answered and the routers ask again. It must settle (set a statement timeout):
   * a batch that never does holds one of two places for ever.
   */
  readonly authorize: (batch: readonly AuthorizeRequest[]) => Promise<readonly AuthorizeDecision[]>;
  /** Commits a batch; acknowledged after it has resolved. Rejecting and settling as in `authorize`. */
  readonly account: (batch: readonly AccountingRecord[]) => Promise<void>;
  /** Called until `resolveDevice` answers with the flag set. */
  readonly learnedMessageAuthenticator: (device: RadiusDevice) => void | Promise<void>;
  /** At most every ten seconds per device and kind. */
  readonly seen: (device: RadiusDevice, facts: SeenFacts) => void | Promise<void>;
  /** A packet names this device and its secret does not fit; at most every ten seconds per device. */
  readonly badSecret?: (device: RadiusDevice, facts: Pick<SeenFacts, 'sourceIp' | 'at'>) => void | Promise<void>;
  readonly count: Count;
  /** For the log. `where` names the handler; neither it nor the listener's own errors hold personal data. */
  readonly failed: (where: string, error: unknown) => void;
}

/** The counters of the listener; the service registers them. */
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
