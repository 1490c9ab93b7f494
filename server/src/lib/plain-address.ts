import { existsSync } from 'node:fs';
import { unmapIpv4 } from '@portico/contract/fields.ts';

/** An IPv4 address that came through an IPv6 socket as an IPv4 address, and an IPv6 address without its zone (RFC 4007). */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const zone = address.indexOf('%');
  return unmapIpv4(zone < 0 ? address : address.slice(0, zone));
}

/** Whose packets a limit counts together: an IPv4 address, or a /64, of which one host may use every address. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  const whole = tail === undefined ? groups : [...groups, ...Array(Math.max(0, 8 - groups.length - rest)).fill('0')];
  return `${whole.slice(0, 4).join(':')}::/64`;
}

/** Every address of this machine: both families through one socket, unless the system has no IPv6. */
export const anyAddress = process.platform === 'linux' && !existsSync('/proc/net/if_inet6') ? '0.0.0.0' : '::';
