import { ipv4Pattern, type Lease, leaseOf, macPattern } from './log-line.ts';

// dnsmasq writes the interface in parentheses right behind it.
const message = /\bDHCP(?:ACK|REQUEST|DISCOVER|OFFER|NAK|INFORM|RELEASE|DECLINE)\b(?!\()/;
const lease = new RegExp(String.raw`DHCP(?:ACK|(RELEASE)) (?:on|of) ${ipv4Pattern} (?:to|from) ${macPattern}`, 'y');

/** Whether a line is a message of ISC dhcpd, which Sophos UTM, Fireware and pfSense use. */
export const isDhcpMessage = (line: string): boolean => message.test(line);

/** The index of the ISC dhcpd message in a line, or -1. The text after it may contain a name that the guest device chose. */
export const dhcpMessageAt = (line: string): number => message.exec(line)?.index ?? -1;

/** The lease in `DHCPACK on 10.0.0.5 to aa:… (name) via eth1` or `DHCPRELEASE of … from …`. */
export function readDhcpLease(line: string): Lease | undefined {
  const at = dhcpMessageAt(line);
  if (at < 0) return undefined;
  lease.lastIndex = at;
  const [, release, address, mac] = lease.exec(line) ?? [];
  return address && mac ? leaseOf(address, mac, release !== undefined) : undefined;
}
