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
  readonly timeZone: string;
  readonly loggingEnabled: boolean;
}

export interface Senders {
  /** Who sent a line: named by its NAS id (as host name or prefix), else by the address, when that is only one device's. */
  readonly identify: (line: string, address: string) => LogSender | undefined;
  /** The devices that share an address, for a line that names none of them. */
  readonly sharing: (address: string) => readonly LogSender[];
  /** The one device at an address; undefined when there are several. */
  readonly at: (address: string) => LogSender | undefined;
  readonly byName: (nasIdentifier: string) => LogSender | undefined;
  readonly byDevice: (deviceId: string) => LogSender | undefined;
  readonly replace: (all: readonly LogSender[]) => void;
}

const nasId = /^[a-z0-9]{8,16}$/;
/** `nasid: message`, or `topics nasid: message` as RouterOS writes it. */
const prefix = /(?:[\w,!-]{1,80} )?([a-z0-9]{8,16}): ?/y;

/** Behind one address of a large operator stand so many that the line might be anyone's. */
const mostSharing = 20;

export function createSenders(): Senders {
  let byNas = new Map<string, LogSender>();
  let byId = new Map<string, LogSender>();
  let byAddress = new Map<string, LogSender[]>();

  const alone = (address: string): LogSender | undefined => {
    const there = byAddress.get(address);
    return there?.length === 1 ? there[0] : undefined;
  };

  return {
    identify(line, address) {
      const { host, bodyAt } = readHeader(line);
      // Only where the router itself writes: a guest chooses the name that a DHCP line ends with.
      if (host !== undefined && nasId.test(host)) {
        const named = byNas.get(host);
        if (named) return named;
      }
      prefix.lastIndex = bodyAt;
      const found = prefix.exec(line)?.[1];
      const named = found === undefined ? undefined : byNas.get(found);
      if (named) return named;
      return alone(address);
    },
    at: alone,
    sharing(address) {
      const there = byAddress.get(address) ?? [];
      return there.length > mostSharing ? [] : there;
    },
    byName: nasIdentifier => byNas.get(nasIdentifier),
    byDevice: deviceId => byId.get(deviceId),
    replace(all) {
      byNas = new Map(all.map(one => [one.nasIdentifier, one]));
      byId = new Map(all.map(one => [one.deviceId, one]));
      byAddress = new Map();
      for (const one of all) {
        if (!one.address) continue;
        const there = byAddress.get(one.address);
        if (there) there.push(one);
        else byAddress.set(one.address, [one]);
      }
    },
  };
}
