import { BlockList, isIP } from 'node:net';

const localAddresses = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  localAddresses.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  localAddresses.addSubnet(net, bits, 'ipv6');

// These names resolve on the local network only, so they cannot lead to another site.
const localName = /^([a-z0-9-]+\.)+(local|lan|home\.arpa|internal|hotspot)$/;

/** Whether a host can be on the local network only. */
export function isLocal(host: string): boolean {
  const family = isIP(host);
  return family ? localAddresses.check(host, family === 6 ? 'ipv6' : 'ipv4') : localName.test(host);
}

/** The columns of a device that tell where its sign-in page is. */
export interface ReturnPlaces {
  readonly hotspot_address: string | null;
  /** Null: none are known, or they are still being learned. */
  readonly login_hosts?: readonly string[] | null | undefined;
  readonly driver?: { readonly vendorHost?: (host: string) => boolean; readonly returnsNowhere?: true };
}

/**
 * The router's sign-in address from a request, or undefined if a guest must not be sent there. Anyone can make the link that
 * carries it, and the guest takes a ticket there. It must be the device's hotspot address. If that is unknown, it must be local
 * or a host of the vendor, and one of the hosts where the device redeemed tickets before.
 */
export function returnAddress(
  login: string,
  { hotspot_address: hotspotAddress, login_hosts: learned, driver }: ReturnPlaces,
): URL | undefined {
  const url = URL.canParse(login) ? new URL(login) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (driver?.returnsNowhere) return url;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const known = hotspotAddress
    ?.trim()
    .replace(/\/\d+$/, '')
    .replace(/^([^:]+):\d+$/, '$1')
    .toLowerCase();
  const mayBe = isLocal(host) || driver?.vendorHost?.(host);
  if (known ? host !== known : !mayBe || (learned && !learned.includes(url.hostname))) return undefined;
  url.hash = '';
  return url;
}

/** The host of a return address that is refused only because the device has not used it. It may be a further hotspot. */
export function unusedHost(login: string, places: ReturnPlaces): string | undefined {
  if (places.hotspot_address || !places.login_hosts || returnAddress(login, places)) return undefined;
  const host = returnAddress(login, { ...places, login_hosts: null })?.hostname;
  return host && host.length <= 253 ? host : undefined;
}

/** The host of a hotspot address, which operators may enter as `10.5.50.1/24`. */
export const hotspotHost = (hotspotAddress: string | null): string | undefined =>
  hotspotAddress?.replace(/\/\d+$/, '') || undefined;

/** The return address with the ticket: the router signs the guest in and sends the browser on to `dst`. */
export function loginUrl(login: URL, ticket: string, dst: string): string {
  const url = new URL(login);
  for (const [name, value] of Object.entries({ username: ticket, password: ticket, dst }))
    url.searchParams.set(name, value);
  return url.href;
}
