import { isIP } from 'node:net';

/**
 * What failures are counted by: an IPv4 address, or of IPv6 its /64 network, which is what one line is given. Within it
 * a guesser may take a new address for every try.
 */
export function callerNetwork(ip: string): string {
  if (isIP(ip) !== 6 || /^::ffff:/i.test(ip)) return ip;
  const [front = [], back = []] = ip.split('::').map(part => (part ? part.split(':') : []));
  const zeros = Array<string>(8).fill('0');
  const groups = [...front, ...zeros.slice(front.length + back.length), ...back];
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':');
}
