import { isIP } from 'node:net';
import { plainAddress } from './plain-address.ts';

/**
 * The key by which failures are counted: an IPv4 address, or the /64 network of an IPv6 address. One line gets such a
 * network, so a guesser may use a new address for each try.
 */
export function callerNetwork(address: string): string {
  const ip = plainAddress(address);
  if (isIP(ip) !== 6) return ip;
  const [front = [], back = []] = ip.split('::').map(part => (part ? part.split(':') : []));
  const zeros = Array<string>(8).fill('0');
  const groups = [...front, ...zeros.slice(front.length + back.length), ...back];
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':');
}
