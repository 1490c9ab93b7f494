import { attribute, mikrotik, type TerminateCause, vendor } from '@portico/radius/attributes.ts';
import {
  type Packet,
  readInteger,
  readOctets,
  readText,
  readVendorInteger,
  readVendorText,
} from '@portico/radius/packet.ts';

/** A guest's phone or computer. */
export interface GuestDevice {
  /** Upper case with colons. */
  readonly mac: string;
  readonly ip: string;
  readonly name: string;
  /** Its IPv6 addresses, of 16 bytes each. */
  readonly ipv6?: readonly Buffer[];
}

/** The limits of the Access-Accept: times in seconds, rates in bit/s, quotas in bytes; absent means unlimited. */
export interface Limits {
  sessionTimeout: number | undefined;
  idleTimeout: number | undefined;
  interimInterval: number | undefined;
  uploadBps: number | undefined;
  downloadBps: number | undefined;
  totalBytes: number | undefined;
  uploadLimit: number | undefined;
  downloadLimit: number | undefined;
}

/** A running session. Times are the venue's, in milliseconds. */
export interface HotspotSession {
  readonly id: string;
  readonly device: GuestDevice;
  readonly userName: string;
  readonly class: Buffer | undefined;
  readonly limits: Limits;
  readonly startedAt: number;
  readonly port: number;
  lastUsedAt: number;
  lastUpdateAt: number;
  uploadBytes: number;
  downloadBytes: number;
  /** The guest has left; the router notices later. */
  leftAt: number | undefined;
}

// In RouterOS 0 means no limit.
const limited = (value: number | undefined): number | undefined => value || undefined;

const gigawords = (packet: Packet, low: number, high: number): number | undefined =>
  limited(
    (readVendorInteger(packet, vendor.mikrotik, low) ?? 0) +
      (readVendorInteger(packet, vendor.mikrotik, high) ?? 0) * 2 ** 32,
  );

/** The limits in an Access-Accept or CoA-Request, as RouterOS reads them. */
export const readLimits = (packet: Packet): Limits => {
  const [uploadBps, downloadBps] = parseRateLimit(
    readVendorText(packet, vendor.mikrotik, mikrotik['Rate-Limit']) ?? '',
  );
  return {
    sessionTimeout: limited(readInteger(packet, attribute['Session-Timeout'])),
    idleTimeout: limited(readInteger(packet, attribute['Idle-Timeout'])),
    interimInterval: limited(readInteger(packet, attribute['Acct-Interim-Interval'])),
    uploadBps,
    downloadBps,
    totalBytes: gigawords(packet, mikrotik['Total-Limit'], mikrotik['Total-Limit-Gigawords']),
    uploadLimit: gigawords(packet, mikrotik['Recv-Limit'], mikrotik['Recv-Limit-Gigawords']),
    downloadLimit: gigawords(packet, mikrotik['Xmit-Limit'], mikrotik['Xmit-Limit-Gigawords']),
  };
};

/** Parses `rx/tx`, where rx is the guest's upload; a single number limits both. Burst parts after a space are ignored. */
export const parseRateLimit = (text: string): [upload: number | undefined, download: number | undefined] => {
  const [upload, download] = (text.split(' ')[0] ?? '').split('/').map(part => {
    const found = /^(\d+)([kMG]?)$/.exec(part);
    return found
      ? limited(Number(found[1]) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[found[2] as '' | 'k' | 'M' | 'G'])
      : undefined;
  });
  return text.includes('/') ? [upload, download] : [upload, upload];
};

/** The name and Class of the Accept, which accounting repeats (RFC 2865 sections 5.1 and 5.25). */
export const readIdentity = (packet: Packet, typed: string) => ({
  userName: readText(packet, attribute['User-Name']) ?? typed,
  class: readOctets(packet, attribute.Class),
});

const keepaliveMs = 120_000;

/** The reason to end a session now, or undefined. The router checks this at every tick. */
export const dueCause = (session: HotspotSession, now: number): TerminateCause | undefined => {
  const { limits } = session;
  if (limits.sessionTimeout && now - session.startedAt >= limits.sessionTimeout * 1000) return 'Session-Timeout';
  if (session.leftAt !== undefined && now - session.leftAt >= keepaliveMs) return 'Lost-Carrier';
  if (limits.idleTimeout && now - session.lastUsedAt >= limits.idleTimeout * 1000) return 'Idle-Timeout';
  const total = session.uploadBytes + session.downloadBytes;
  const isUsedUp =
    total >= (limits.totalBytes ?? Infinity) ||
    session.uploadBytes >= (limits.uploadLimit ?? Infinity) ||
    session.downloadBytes >= (limits.downloadLimit ?? Infinity);
  return isUsedUp ? 'NAS-Request' : undefined;
};

export interface Traffic {
  readonly uploadBytes: number;
  readonly downloadBytes: number;
  /** The seconds that it took, if the session's rates are to limit it. */
  readonly seconds?: number;
}

/** Adds traffic to the session's counters, no faster than its rates allow. */
export const addTraffic = (session: HotspotSession, traffic: Traffic, now: number): void => {
  const within = (bytes: number, bps: number | undefined): number =>
    bps && traffic.seconds ? Math.min(bytes, (bps / 8) * traffic.seconds) : bytes;
  session.uploadBytes += Math.round(within(traffic.uploadBytes, session.limits.uploadBps));
  session.downloadBytes += Math.round(within(traffic.downloadBytes, session.limits.downloadBps));
  session.lastUsedAt = now;
};
