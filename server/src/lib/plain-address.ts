import { existsSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { unmapIpv4 } from '@portico/contract/fields.ts';

const mapped = '::ffff:';

/** An IPv4 address that came through an IPv6 socket as an IPv4 address, and an IPv6 address without its zone (RFC 4007). */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  // The form that the kernel writes. The general check takes much longer than all else that a forged datagram costs.
  if (address.startsWith(mapped) && isIPv4(address.slice(mapped.length))) return address.slice(mapped.length);
  const zone = address.indexOf('%');
  return unmapIpv4(zone < 0 ? address : address.slice(0, zone));
}

/** Every address of this machine: both families through one socket, unless the system has no IPv6. */
export const anyAddress = process.platform === 'linux' && !existsSync('/proc/net/if_inet6') ? '0.0.0.0' : '::';
