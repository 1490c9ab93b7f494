import { BlockList, isIPv6 } from 'node:net';
import { readHeader } from './header.ts';
import { type AddressProof, stronger } from './proof.ts';

/** An address, or a network that an operator trusts, from which lines of a device count. */
export interface LogSource {
  readonly address: string;
  /** Bits of the network. */
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
  readonly brand: string;
  /** In capitals; null for brands that do not write one into their lines. */
  readonly serial: string | null;
  readonly timeZone: string;
  readonly loggingEnabled: boolean;
}

/**
 * Whose line it is. `proven`: the device has proven the source address. `unproven`: the line names a device that has not.
 * `ambiguous`: the line names no device, and several share its address or serial number.
 */
export type Sending =
  | { readonly kind: 'proven'; readonly sender: LogSender; readonly proof: AddressProof }
  | { readonly kind: 'unproven'; readonly sender: LogSender }
  | { readonly kind: 'ambiguous'; readonly senders: readonly LogSender[] }
  | { readonly kind: 'unknown' };

export interface Senders {
  /** A line names its device by NAS identifier (host name or prefix) or serial number. The name counts from a proven address only. */
  readonly identify: (line: string, address: string) => Sending;
  /** The one device at an address; undefined when there are several. */
  readonly at: (address: string) => LogSender | undefined;
  readonly byName: (nasIdentifier: string) => LogSender | undefined;
  readonly byDevice: (deviceId: string) => LogSender | undefined;
  readonly replace: (all: readonly LogSender[]) => void;
}

/** Of a host name the first label: some brands insist on a domain behind it. */
const hostName = /^([a-z0-9]{8,16})(?:\.|$)/;
/** `nasid: message`, `topics nasid: message`, or `nasid` as the log prefix of a firewall rule. */
const prefix =
  /(?:[\w,!-]{1,80} )?([a-z0-9]{8,16})(?:: ?| {1,2}(?=(?:input|output|forward|srcnat|dstnat|prerouting|postrouting): in:))/y;
/*
 * The same behind what is left of an identity of a few words and behind a tag: `lobby router : firewall,info nasid: …`,
 * `relay[12]: nasid: …`. No more than two words: in `login failure for user …` the next word is the user's choice.
 */
const prefixBehindTag = new RegExp(
  `(?:[\\w.()&'/#-]{1,64} ){0,2}(?:[\\w.,/-]{0,48}(?:\\[\\d{1,10}\\])?: {1,4})?${prefix.source}`,
  'y',
);
/** RouterOS's `remote-log-format=cef`: the message follows the router's identity and address. */
const cef = /CEF:0\|MikroTik\|[^\n]{0,300}?\bdvchost=([^\s=]{1,64}) [^\n]{0,100}?\bmsg=/y;
/** SFOS names the device in front of all else. */
const deviceName =
  /(?:device="[^"]{0,40}" )?(?:date=\S{1,20} time=\S{1,20} timezone="[^"]{0,20}" )?device_name="([a-z0-9]{8,16})"/y;
/** Fireware writes its serial number first; without a header's host that is the host. */
const serialNumber = /([A-Za-z0-9-]{6,40}) /y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Behind one address of a carrier may be so many devices that the line could be from any. */
const maxSharing = 20;

interface Known {
  readonly sender: LogSender;
  readonly proofOf: (address: string) => AddressProof | undefined;
}

export function createSenders(): Senders {
  let byNas = new Map<string, Known>();
  let byId = new Map<string, Known>();
  let byAddress = new Map<string, Known[]>();
  let bySerial = new Map<string, Known[]>();
  let withNetworks: readonly Known[] = [];

  /** The devices that have proven an address. */
  const provenAt = (address: string): readonly Known[] => {
    const exact = byAddress.get(address) ?? [];
    const more = withNetworks.filter(one => !exact.includes(one) && one.proofOf(address) !== undefined);
    return more.length > 0 ? [...exact, ...more] : exact;
  };

  function named(line: string): Known | undefined {
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

  function withSerial(line: string): readonly Known[] {
    if (bySerial.size === 0) return [];
    const { host, bodyAt } = readHeader(line);
    const of = (serial: string | undefined) => (serial ? bySerial.get(serial.toUpperCase()) : undefined);
    return of(matchAt(serialNumber, line, bodyAt)?.[1]) ?? of(host) ?? [];
  }

  const judge = ({ sender, proofOf }: Known, address: string): Sending => {
    const proof = proofOf(address);
    return proof ? { kind: 'proven', sender, proof } : { kind: 'unproven', sender };
  };

  return {
    identify(line, address) {
      // Only where the router itself writes: a guest chooses the name that a DHCP line ends with.
      const ofName = named(line);
      if (ofName) return judge(ofName, address);
      const ofSerial = withSerial(line);
      const proven =
        ofSerial.length > 0 ? ofSerial.filter(one => one.proofOf(address) !== undefined) : provenAt(address);
      if (proven.length === 1) return judge(proven[0]!, address);
      if (proven.length === 0 && ofSerial.length === 1) return judge(ofSerial[0]!, address);
      const perhaps = proven.length > 0 ? proven : ofSerial;
      if (perhaps.length === 0 || perhaps.length > maxSharing) return { kind: 'unknown' };
      return { kind: 'ambiguous', senders: perhaps.map(({ sender }) => sender) };
    },
    at(address) {
      const there = provenAt(address);
      return there.length === 1 ? there[0]!.sender : undefined;
    },
    byName: nasIdentifier => byNas.get(nasIdentifier)?.sender,
    byDevice: deviceId => byId.get(deviceId)?.sender,
    replace(all) {
      const known = all.map(knownOf);
      byNas = new Map(known.map(one => [one.sender.nasIdentifier, one]));
      byId = new Map(known.map(one => [one.sender.deviceId, one]));
      byAddress = grouped(known, ({ sender }) => [
        ...new Set(sender.sources.filter(isHost).map(({ address }) => address)),
      ]);
      bySerial = grouped(known, ({ sender }) => (sender.serial ? [sender.serial] : []));
      withNetworks = known.filter(({ sender }) => !sender.sources.every(isHost));
    },
  };
}

const isHost = ({ address, prefix }: LogSource): boolean => prefix === (isIPv6(address) ? 128 : 32);
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

function knownOf(sender: LogSender): Known {
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

function grouped(all: readonly Known[], keysOf: (one: Known) => readonly string[]): Map<string, Known[]> {
  const groups = new Map<string, Known[]>();
  for (const one of all)
    for (const key of keysOf(one)) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  return groups;
}
