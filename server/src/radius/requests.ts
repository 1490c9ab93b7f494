import {
  acctStatusType,
  attribute,
  chillispot,
  microsoft,
  terminateCauseName,
  vendor,
  viewPoint,
} from '@portico/radius/attributes.ts';
import {
  asIpv6,
  asIpv6Prefix,
  asText,
  type Packet,
  readAddress,
  readAll,
  readInteger,
  readOctets,
  readText,
  readVendorInteger,
  readVendorOctets,
} from '@portico/radius/packet.ts';
import { isChapAnswer, isSamePassword, revealPassword } from '@portico/radius/password.ts';
import type { AccountingRecord, AuthorizeRequest, RadiusDevice, SessionRecord } from './types.ts';

/** Source, time and device of a packet. */
export interface Origin {
  readonly device: RadiusDevice;
  readonly sourceIp: string;
  readonly receivedAt: Date;
}

/** A router without a connection keeps its accounting for days. A larger value is a faulty counter. */
const longestDelaySeconds = 30 * 86_400;

/** Calling-Station-Id as AA:BB:CC:DD:EE:FF. Vendors write it with colons, hyphens, dots or no separator. */
export const readMac = (packet: Packet): string | undefined => {
  const digits = readText(packet, attribute['Calling-Station-Id'])?.replaceAll(/[:.-]/g, '');
  if (!digits || !/^[0-9a-f]{12}$/i.test(digits)) return undefined;
  return digits.toUpperCase().replaceAll(/(..)(?!$)/g, '$1:');
};

const maxNetworks = 16;
/** A router that reports a larger network would own the addresses of others. */
const shortestPrefix = 32;
const mapped = /^0:0:0:0:0:ffff:/;
/** Unspecified, loopback, IPv4-mapped, link-local and multicast addresses belong to no guest. */
const isNobodys = (address: string): boolean =>
  /^(0:0:0:0:0:0:0:[01]$|fe[89ab][0-9a-f]:|ff[0-9a-f]{2}:)/.test(address) || mapped.test(address);

/** The guest's IPv6 addresses and delegated prefixes (RFC 3162, 4818, 6911), without repetition. */
export function readNetworks(packet: Packet): string[] {
  const all = (name: 'Framed-IPv6-Address' | 'Framed-IPv6-Prefix' | 'Delegated-IPv6-Prefix') =>
    readAll(packet, attribute[name]);
  const found = [
    ...all('Framed-IPv6-Address').map(asIpv6),
    ...[...all('Framed-IPv6-Prefix'), ...all('Delegated-IPv6-Prefix')].map(asIpv6Prefix),
  ];
  const kept = found.filter(it => {
    const [address = '', length = '128'] = it?.split('/') ?? [];
    return it !== undefined && !isNobodys(address) && Number(length) >= shortestPrefix;
  });
  return [...new Set(kept as string[])].slice(0, maxNetworks);
}

/** Framed-IP-Address, or an IPv4 address in the form of an IPv6 one (RFC 4291 section 2.5.5.2). */
function readIpv4(packet: Packet): string | undefined {
  const own = readAddress(packet, attribute['Framed-IP-Address']);
  if (own) return own;
  const inside = readAll(packet, attribute['Framed-IPv6-Address']).find(it => mapped.test(asIpv6(it) ?? ''));
  return inside && [...inside.subarray(12)].join('.');
}

/** The address that the router says it has. */
export function readNasAddress(packet: Packet): string | undefined {
  const long = readOctets(packet, attribute['NAS-IPv6-Address']);
  return readAddress(packet, attribute['NAS-IP-Address']) ?? (long && asIpv6(long));
}

/** How many seconds the sender's clock is ahead, from Event-Timestamp and Acct-Delay-Time. */
export const readClockSkew = (packet: Packet, receivedAt: Date): number | undefined => {
  const stamp = readInteger(packet, attribute['Event-Timestamp']);
  if (stamp === undefined) return undefined;
  const delay = Math.min(readInteger(packet, attribute['Acct-Delay-Time']) ?? 0, longestDelaySeconds);
  const skew = stamp + delay - Math.round(receivedAt.getTime() / 1000);
  // Clamped to the range of the column.
  return Math.max(-(2 ** 31), Math.min(skew, 2 ** 31 - 1));
};

/** EAP (RFC 3579) or MS-CHAP (RFC 2548), which need the clear password or a certificate on this side. */
const isUnsupported = (packet: Packet): boolean =>
  readOctets(packet, attribute['EAP-Message']) !== undefined ||
  Object.values(microsoft).some(type => readVendorOctets(packet, vendor.microsoft, type) !== undefined);

/** An Access-Request for the authorize handler; `undefined` without a user name. */
export const toAuthorizeRequest = (
  packet: Packet,
  { proven, ...origin }: Origin & Pick<AuthorizeRequest, 'proven'>,
): AuthorizeRequest | undefined => {
  const userName = readText(packet, attribute['User-Name']);
  if (!userName) return undefined;
  const typed = revealPassword(packet, origin.device.secret);
  const hasChap = readOctets(packet, attribute['CHAP-Password']) !== undefined;
  return {
    ...origin,
    proven,
    key: packet.authenticator.toString('hex'),
    userName,
    method: typed ? 'pap' : hasChap ? 'chap' : isUnsupported(packet) ? 'unsupported' : 'none',
    password: typed && asText(typed),
    checkPassword: clear => (typed ? isSamePassword(typed, clear) : isChapAnswer(packet, clear)),
    mac: readMac(packet),
    framedIp: readIpv4(packet),
    calledStationId: readText(packet, attribute['Called-Station-Id']),
    nasPortId: readText(packet, attribute['NAS-Port-Id']),
    sessionId: readText(packet, attribute['Acct-Session-Id']),
  };
};

const statuses = new Map<number, AccountingRecord['status']>([
  [acctStatusType.Start, 'start'],
  [acctStatusType.Stop, 'stop'],
  [acctStatusType['Interim-Update'], 'interim'],
  [acctStatusType['Accounting-On'], 'on'],
  [acctStatusType['Accounting-Off'], 'off'],
]);

const bytesOf = (packet: Packet, octets: number, gigawords: number): number => {
  const total = (readInteger(packet, gigawords) ?? 0) * 2 ** 32 + (readInteger(packet, octets) ?? 0);
  return Number.isSafeInteger(total) ? total : 0;
};

/**
 * An Accounting-Request for the account handler. `unsupported`: a status for something other than sessions, such as
 * tunnels (RFC 2866 section 5.1). `incomplete`: the status or the session is missing.
 */
export const toAccountingRecord = (packet: Packet, origin: Origin): AccountingRecord | 'unsupported' | 'incomplete' => {
  const type = readInteger(packet, attribute['Acct-Status-Type']);
  if (type === undefined) return 'incomplete';
  const status = statuses.get(type);
  if (!status) return 'unsupported';

  const delay = Math.min(readInteger(packet, attribute['Acct-Delay-Time']) ?? 0, longestDelaySeconds);
  const base = {
    device: origin.device,
    sourceIp: origin.sourceIp,
    at: new Date(origin.receivedAt.getTime() - delay * 1000),
    nasIp: readNasAddress(packet),
  };
  if (status === 'on' || status === 'off') return { ...base, status };

  const sessionId = readText(packet, attribute['Acct-Session-Id']);
  if (!sessionId) return 'incomplete';
  return { ...base, status, sessionId, ...sessionFacts(packet, status) };
};

/** CoovaChilli counts as the guest does unless `swapoctets` is set: its input is what the guest received. It says so. */
const trafficOf = (packet: Packet) => {
  const input = bytesOf(packet, attribute['Acct-Input-Octets'], attribute['Acct-Input-Gigawords']);
  const output = bytesOf(packet, attribute['Acct-Output-Octets'], attribute['Acct-Output-Gigawords']);
  return readVendorInteger(packet, vendor.chillispot, chillispot['Acct-View-Point']) === viewPoint.Client
    ? { uploadBytes: output, downloadBytes: input }
    : { uploadBytes: input, downloadBytes: output };
};

const sessionFacts = (packet: Packet, status: SessionRecord['status']) => ({
  class: readText(packet, attribute.Class),
  userName: readText(packet, attribute['User-Name']) ?? '',
  mac: readMac(packet),
  framedIp: readIpv4(packet),
  networks: readNetworks(packet),
  calledStationId: readText(packet, attribute['Called-Station-Id']),
  nasPortId: readText(packet, attribute['NAS-Port-Id']),
  sessionSeconds: readInteger(packet, attribute['Acct-Session-Time']) ?? 0,
  ...trafficOf(packet),
  terminateCause:
    status === 'stop' ? terminateCauseName(readInteger(packet, attribute['Acct-Terminate-Cause']) ?? 0) : undefined,
});
