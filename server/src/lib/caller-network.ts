import { isIP } from 'node:net';
import { plainAddress } from './plain-address.ts';

const groupsOf = (ip: string): string[] => {
  const [front = [], back = []] = ip.split('::').map(part => (part ? part.split(':') : []));
  const zeros = Array<string>(8).fill('0');
  return [...front, ...zeros.slice(front.length + back.length), ...back].map(it =>
    Number.parseInt(it, 16).toString(16),
  );
};

/**
 * The key by which failures are counted: an IPv4 address, or the /64 network of an IPv6 address. One line gets such a
 * network, so a guesser may use a new address for each try.
 */
export function callerNetwork(address: string): string {
  const ip = plainAddress(address);
  if (isIP(ip) !== 6) return ip;
  return groupsOf(ip).slice(0, 4).join(':');
}

/** The /48 of an IPv6 address, which a customer may get: 65,536 networks of one guesser. Undefined for IPv4. */
export function callerSite(address: string): string | undefined {
  const ip = plainAddress(address);
  return isIP(ip) === 6 ? groupsOf(ip).slice(0, 3).join(':') : undefined;
}
