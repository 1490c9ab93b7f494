import { BlockList, isIPv6 } from 'node:net';
import { readHeader } from './header.ts';
import { type AddressProof, stronger } from './proof.ts';

/** An address, or a network that an operator trusts, from which a device's lines are accepted. */
export interface LogSource {
  readonly address: string;
  /** The prefix length of the network. */
  readonly prefix: number;
  readonly proof: AddressProof;
}

/** A device as the log listener knows it. */
export interface LogSender {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly locationId: string;
  readonly nasIdentifier: string;
  readonly sources: readonly LogSource[];
  /** The fingerprints (SHA-256, hexadecimal) of its valid certificates. */
  readonly certificates?: readonly string[];
  readonly brand: string;
  /** In capitals; null for brands that do not write a serial number into their lines. */
  readonly serial: string | null;
  readonly timeZone: string;
  readonly loggingEnabled: boolean;
}

/**
 * The sender of a line. `proven`: the device has proven the source address. `unproven`: the line names a device that has not
 * proven it. `ambiguous`: the line names no device, and several share its address or serial number.
 */
export type SenderMatch =
  | { readonly kind: 'proven'; readonly sender: LogSender; readonly proof: AddressProof }
  | { readonly kind: 'unproven'; readonly sender: LogSender }
  | { readonly kind: 'ambiguous'; readonly senders: readonly LogSender[] }
  | { readonly kind: 'unknown' };

export interface Senders {
  /**
   * A line names its device by NAS identifier (host name or prefix) or serial number. The name counts only if the device has
   * proven the address.
   */
  readonly identify: (line: string, address: string) => SenderMatch;
  /** The device at an address; undefined if there are several. */
  readonly at: (address: string) => LogSender | undefined;
  readonly byName: (nasIdentifier: string) => LogSender | undefined;
  readonly byCertificate: (fingerprint: string) => LogSender | undefined;
  readonly byDevice: (deviceId: string) => LogSender | undefined;
  readonly replace: (all: readonly LogSender[]) => void;
}

/** The first label of a host name, because some brands require a domain after it. */
const hostName = /^([a-z0-9]{8,16})(?:\.|$)/;
/** `nasid: message`, `topics nasid: message`, or `nasid` as the log prefix of a firewall rule. */
const prefix =
  /(?:[\w,!-]{1,80} )?([a-z0-9]{8,16})(?:: ?| {1,2}(?=(?:input|output|forward|srcnat|dstnat|prerouting|postrouting): in:))/y;
/*
 * The same after the rest of an identity with spaces, or after a tag: `lobby router : firewall,info nasid: …`,
 * `relay[12]: nasid: …`. At most two words are skipped: in `login failure for user …` the user chooses the next word.
 */
const prefixBehindTag = new RegExp(
  `(?:[\\w.()&'/#-]{1,64} ){0,2}(?:[\\w.,/-]{0,48}(?:\\[\\d{1,10}\\])?: {1,4})?${prefix.source}`,
  'y',
);
/** RouterOS's `remote-log-format=cef`: the message follows the router's identity and address. */
const cef = /CEF:0\|MikroTik\|[^\n]{0,300}?\bdvchost=([^\s=]{1,64}) [^\n]{0,100}?\bmsg=/y;
/** SFOS begins its message with the name of the device. */
const deviceName =
  /(?:device="[^"]{0,40}" )?(?:date=\S{1,20} time=\S{1,20} timezone="[^"]{0,20}" )?device_name="([a-z0-9]{8,16})"/y;
/** Fireware begins its message with the serial number. If the header has no host, the number is read as the host. */
const serialNumber = /([A-Za-z0-9-]{6,40}) /y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** If more devices share an address, such as that of a carrier, the line is not assigned to any of them. */
const maxAmbiguous = 20;

interface KnownDevice {
  readonly sender: LogSender;
  readonly proofOf: (address: string) => AddressProof | undefined;
}

export function createSenders(): Senders {
  let byNas = new Map<string, KnownDevice>();
  let byId = new Map<string, KnownDevice>();
  let byAddress = new Map<string, KnownDevice[]>();
  let byFingerprint = new Map<string, LogSender>();
  let bySerial = new Map<string, KnownDevice[]>();
  let withNetworks: readonly KnownDevice[] = [];

  /** The devices that have proven an address. */
  const provenAt = (address: string): readonly KnownDevice[] => {
    const exact = byAddress.get(address) ?? [];
    const more = withNetworks.filter(one => !exact.includes(one) && one.proofOf(address) !== undefined);
    return withoutClaims(more.length > 0 ? [...exact, ...more] : exact, address);
  };

  function byNameIn(line: string): KnownDevice | undefined {
    const { host, tag, bodyAt } = readHeader(line);
    const find = (name: string | undefined) => (name === undefined ? undefined : byNas.get(name));
    const ofHeader = find(host && hostName.exec(host)?.[1]) ?? find(tag);
    if (ofHeader) return ofHeader;
    const asCef = matchAt(cef, line, bodyAt);
    const at = asCef ? cef.lastIndex : bodyAt;
    for (const pattern of [prefix, prefixBehindTag, deviceName]) {
      const found = find(matchAt(pattern, line, at)?.[1]);
      if (found) return found;
    }
    return find(asCef?.[1]);
  }

  function bySerialIn(line: string): readonly KnownDevice[] {
    if (bySerial.size === 0) return [];
    const { host, bodyAt } = readHeader(line);
    const of = (serial: string | undefined) => (serial ? bySerial.get(serial.toUpperCase()) : undefined);
    return of(matchAt(serialNumber, line, bodyAt)?.[1]) ?? of(host) ?? [];
  }

  const matchOf = ({ sender, proofOf }: KnownDevice, address: string): SenderMatch => {
    const proof = proofOf(address);
    return proof ? { kind: 'proven', sender, proof } : { kind: 'unproven', sender };
  };

  return {
    identify(line, address) {
      // Only text that the router itself writes counts: a DHCP line ends with a name that a guest chooses.
      const ofName = byNameIn(line);
      if (ofName) return matchOf(ofName, address);
      const ofSerial = bySerialIn(line);
      const proven =
        ofSerial.length > 0
          ? withoutClaims(
              ofSerial.filter(one => one.proofOf(address) !== undefined),
              address,
            )
          : provenAt(address);
      if (proven.length === 1) return matchOf(proven[0]!, address);
      if (proven.length === 0 && ofSerial.length === 1) return matchOf(ofSerial[0]!, address);
      const candidates = proven.length > 0 ? proven : ofSerial;
      if (candidates.length === 0 || candidates.length > maxAmbiguous) return { kind: 'unknown' };
      return { kind: 'ambiguous', senders: candidates.map(({ sender }) => sender) };
    },
    at(address) {
      const devices = provenAt(address);
      return devices.length === 1 ? devices[0]!.sender : undefined;
    },
    byName: nasIdentifier => byNas.get(nasIdentifier)?.sender,
    byCertificate: fingerprint => byFingerprint.get(fingerprint),
    byDevice: deviceId => byId.get(deviceId)?.sender,
    replace(all) {
      const known = all.map(knownOf);
      byNas = new Map(known.map(one => [one.sender.nasIdentifier, one]));
      byId = new Map(known.map(one => [one.sender.deviceId, one]));
      byFingerprint = new Map(all.flatMap(one => (one.certificates ?? []).map(print => [print, one] as const)));
      byAddress = grouped(known, ({ sender }) => [
        ...new Set(sender.sources.filter(isHost).map(({ address }) => address)),
      ]);
      bySerial = grouped(known, ({ sender }) => (sender.serial ? [sender.serial] : []));
      withNetworks = known.filter(({ sender }) => !sender.sources.every(isHost));
    },
  };
}

/**
 * An operator may trust any address, also that of another's router. Where a device proves the address itself, the word of an operator
 * of another location must not make its lines ambiguous.
 */
function withoutClaims(all: readonly KnownDevice[], address: string): readonly KnownDevice[] {
  if (all.length < 2) return all;
  const itself = all.filter(one => one.proofOf(address) !== 'operator');
  if (itself.length === 0 || itself.length === all.length) return all;
  const places = new Set(itself.map(({ sender }) => sender.locationId));
  return all.filter(one => itself.includes(one) || places.has(one.sender.locationId));
}

const isHost = ({ address, prefix }: LogSource): boolean => prefix === (isIPv6(address) ? 128 : 32);
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

function knownOf(sender: LogSender): KnownDevice {
  const hosts = new Map<string, AddressProof>();
  for (const one of sender.sources.filter(isHost)) hosts.set(one.address, stronger(hosts.get(one.address), one.proof));
  const networks = sender.sources
    .filter(one => !isHost(one))
    .map(one => {
      const list = new BlockList();
      list.addSubnet(one.address, one.prefix, familyOf(one.address));
      return { list, proof: one.proof };
    });
  return {
    sender,
    proofOf: address =>
      hosts.get(address) ?? networks.find(({ list }) => list.check(address, familyOf(address)))?.proof,
  };
}

function grouped(
  all: readonly KnownDevice[],
  keysOf: (one: KnownDevice) => readonly string[],
): Map<string, KnownDevice[]> {
  const groups = new Map<string, KnownDevice[]>();
  for (const one of all)
    for (const key of keysOf(one)) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  return groups;
}
