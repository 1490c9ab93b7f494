import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const inside = new BlockList();
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
  inside.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(network, bits, 'ipv6');

/** Whether an address leads into a private or reserved network. */
export const isInside = (address: string): boolean => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ? inside.check(mapped, 'ipv4') : inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
};

/**
 * The address to connect to for a host that an operator typed, or undefined when it leads inside our own network and the
 * installation does not allow that (server-side request forgery). Connect to the answer, not to the name: a name may
 * point elsewhere a moment later. Rejects when the name is not known.
 */
export async function outboundAddress(host: string, allowInside: boolean): Promise<string | undefined> {
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  const good = addresses.find(({ address }) => allowInside || !isInside(address));
  return good?.address;
}
