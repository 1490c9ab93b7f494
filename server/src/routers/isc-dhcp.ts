import { ipv4Pattern, type Lease, leaseOf, macPattern } from './log-line.ts';

const message = /\bDHCP(?:ACK|REQUEST|DISCOVER|OFFER|NAK|INFORM|RELEASE|DECLINE)\b/;
const lease = new RegExp(String.raw`\bDHCP(?:ACK|(RELEASE)) (?:on|of) ${ipv4Pattern} (?:to|from) ${macPattern}`);

/** Whether a line is a message of ISC dhcpd, which Sophos UTM and Fireware use. */
export const isDhcpMessage = (line: string): boolean => message.test(line);

/** The lease in `DHCPACK on 10.0.0.5 to aa:… (name) via eth1` or `DHCPRELEASE of … from …`. */
export function readDhcpLease(line: string): Lease | undefined {
  const [, release, address, mac] = lease.exec(line) ?? [];
  return address && mac ? leaseOf(address, mac, release !== undefined) : undefined;
}
