import { readHeader } from './header.ts';

/** A device as the log door knows it. */
export interface LogSender {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly locationId: string;
  readonly nasIdentifier: string;
  /** Where its RADIUS requests come from, or null. */
  readonly address: string | null;
  readonly brand: string;
  /** In capitals; null for brands that do not write one into their lines. */
  readonly serial: string | null;
  readonly timeZone: string;
  readonly loggingEnabled: boolean;
}

export interface Senders {
  /** Who sent a line: named by its NAS id (as host name or prefix) or serial number, else by the address; when that is only one device's. */
  readonly identify: (line: string, address: string) => LogSender | undefined;
  /** The devices that share the address or serial number of a line that names none of them. */
  readonly sharing: (line: string, address: string) => readonly LogSender[];
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
 * `relay[12]: nasid: …`. No more than two words: in `login failure for user …` the next is for anybody to choose.
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

/** Behind one address of a large operator stand so many that the line might be anyone's. */
const maxSharing = 20;

export function createSenders(): Senders {
  let byNas = new Map<string, LogSender>();
  let byId = new Map<string, LogSender>();
  let byAddress = new Map<string, LogSender[]>();
  let bySerial = new Map<string, LogSender[]>();

  const alone = (address: string): LogSender | undefined => {
    const there = byAddress.get(address);
    return there?.length === 1 ? there[0] : undefined;
  };

  function byName(line: string): LogSender | undefined {
    const { host, tag, bodyAt } = readHeader(line);
    const named = (name: string | undefined) => (name === undefined ? undefined : byNas.get(name));
    const ofHeader = named(host && hostName.exec(host)?.[1]) ?? named(tag);
    if (ofHeader) return ofHeader;
    const asCef = matchAt(cef, line, bodyAt);
    const at = asCef ? cef.lastIndex : bodyAt;
    for (const pattern of [prefix, prefixBehindTag, deviceName]) {
      const found = named(matchAt(pattern, line, at)?.[1]);
      if (found) return found;
    }
    return named(asCef?.[1]);
  }

  function withSerial(line: string): readonly LogSender[] {
    if (bySerial.size === 0) return [];
    const { host, bodyAt } = readHeader(line);
    const of = (serial: string | undefined) => (serial ? bySerial.get(serial.toUpperCase()) : undefined);
    return of(matchAt(serialNumber, line, bodyAt)?.[1]) ?? of(host) ?? [];
  }

  return {
    identify(line, address) {
      // Only where the router itself writes: a guest chooses the name that a DHCP line ends with.
      const named = byName(line);
      if (named) return named;
      const ofSerial = withSerial(line);
      return ofSerial.length === 1 ? ofSerial[0] : alone(address);
    },
    at: alone,
    sharing(line, address) {
      const ofSerial = withSerial(line);
      const there = ofSerial.length > 0 ? ofSerial : (byAddress.get(address) ?? []);
      return there.length > maxSharing ? [] : there;
    },
    byName: nasIdentifier => byNas.get(nasIdentifier),
    byDevice: deviceId => byId.get(deviceId),
    replace(all) {
      byNas = new Map(all.map(one => [one.nasIdentifier, one]));
      byId = new Map(all.map(one => [one.deviceId, one]));
      byAddress = grouped(all, one => one.address);
      bySerial = grouped(all, one => one.serial);
    },
  };
}

function grouped(all: readonly LogSender[], keyOf: (one: LogSender) => string | null): Map<string, LogSender[]> {
  const groups = new Map<string, LogSender[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (!key) continue;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
