import { BlockList, isIP } from 'node:net';
import { lookUp } from './look-up.ts';

// One list each: Node would hold an IPv4 address against IPv6 networks too, as `::ffff:…`.
const inside4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside4.addSubnet(network, bits, 'ipv4');
// All but 2000::/3, where public addresses are, and what there is put around an IPv4 address: Teredo, 6to4.
const inside6 = new BlockList();
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2002::', 16],
] as const)
  inside6.addSubnet(network, bits, 'ipv6');

/** Whether an address leads into a private or reserved network. */
export const isInside = (address: string): boolean => {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(plain) === 6 ? inside6.check(plain, 'ipv6') : inside4.check(plain, 'ipv4');
};

/**
 * The address to connect to for a host that an operator typed. Undefined if it leads into our own network and the
 * installation does not allow that (server-side request forgery). Connect to the answer, not to the name: a name may point
 * elsewhere a moment later. Rejects when the name is not known.
 */
export async function outboundAddress(host: string, allowInside: boolean): Promise<string | undefined> {
  const addresses = isIP(host) ? [host] : await lookUp(host);
  return addresses.find(address => allowInside || !isInside(address));
}
