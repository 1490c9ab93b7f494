import { BlockList, isIP } from 'node:net';

const near = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(net, bits, 'ipv6');

// Names that mean something on the local network only, so that they cannot lead off to a stranger's site.
const localName = /^([a-z0-9-]+\.)+(local|lan|home\.arpa|internal|hotspot)$/;

function isNear(host: string): boolean {
  const family = isIP(host);
  return family ? near.check(host, family === 6 ? 'ipv6' : 'ipv4') : localName.test(host);
}

/**
 * The router's sign-in address out of a request, or undefined when a guest must not be sent there: it arrives in a link
 * that anyone could have made, and it gets a ticket. The device's own hotspot address where that is known, else only
 * what lies on a local network.
 */
export function returnAddress(login: string, hotspotAddress: string | null): URL | undefined {
  const url = URL.canParse(login) ? new URL(login) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const known = hotspotAddress
    ?.trim()
    .replace(/\/\d+$/, '')
    .replace(/^([^:]+):\d+$/, '$1')
    .toLowerCase();
  if (known ? host !== known : !isNear(host)) return undefined;
  url.hash = '';
  return url;
}

/** The way back to the router: it signs the guest in with the ticket and sends them to `dst`. */
export function wayBack(login: URL, proof: { username: string; password: string }, dst: string): string {
  const url = new URL(login);
  for (const [name, value] of Object.entries({ ...proof, dst })) url.searchParams.set(name, value);
  return url.href;
}

/** Where a guest finds its router, which knows it, and sends it here with everything; a Firebox has no such page. */
export function routerPage(brand: string, hotspotAddress: string | null): string | null {
  const host = hotspotAddress?.replace(/\/\d+$/, '');
  if (!host || brand === 'watchguard') return null;
  return brand === 'sophos' ? `https://${host}:8090/` : `http://${host}/login`;
}

/** Where the router ends a session: beside its sign-in address (MikroTik). */
export function logOutAddress(login: URL): string | null {
  if (!/\/login$/.test(login.pathname)) return null;
  return new URL(login.pathname.replace(/login$/, 'logout'), login.origin).href;
}

/**
 * What the form-action of a page with a way back must allow: browsers hold it against redirects too. Addresses by number
 * match no host source (CSP Level 3, section 6.7.2.8), so for those the scheme has to do.
 */
export function formTarget(login: URL): string {
  return isIP(login.hostname.replace(/^\[|\]$/g, '')) ? login.protocol : login.origin;
}

/** The same for a portal's forms, which its rules may lead elsewhere. */
export function formTargets(
  login: URL,
  portal: { readonly rules: readonly { readonly url: string | null }[] },
): string {
  const urls = portal.rules.flatMap(({ url }) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  return [...new Set([formTarget(login), ...urls])].join(' ');
}

/** What the guest wanted to see, when it is a site one can go on to; probes of the system are not. */
export function goOnAddress(orig: string): string | null {
  const url = URL.canParse(orig) ? new URL(orig) : undefined;
  if (!url || orig.length > 600 || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) || probes.test(url.host + url.pathname)) return null;
  return url.href;
}

const probes =
  /generate_?204|captive\.apple\.com|hotspot-detect|connecttest|ncsi\.txt|msftconnecttest|msftncsi|detectportal|connectivity-?check|nmcheck\.gnome|network-test|\/success\.(html|txt)$|wifi\.|clients3\.google/i;
