import { isIP } from 'node:net';
import type { Rule } from '@portico/contract/rules.ts';

/** A page without TLS. The router of a guest who is not signed in answers in its place. */
export const plainHttpPage = 'http://neverssl.com/';

/** Leads to the router, which alone knows the device behind a browser, and which leads to a new sign-in page. */
export const routerPath = (nas: string): string => `/o/${nas}`;

/**
 * The `form-action` source for a return address; browsers also check redirects against it. An IP address matches no host
 * source (CSP Level 3, section 6.7.2.8), so its scheme is allowed instead.
 */
export function formTarget(login: URL): string {
  return isIP(login.hostname.replace(/^\[|\]$/g, '')) ? login.protocol : login.origin;
}

/** The `form-action` sources of a portal's forms: the return address, and where the portal's rules redirect to. */
export function formTargets(login: URL, portal: { readonly rules: readonly Pick<Rule, 'url' | 'urls'>[] }): string {
  const all = portal.rules.flatMap(({ url, urls }) => [url ?? '', ...Object.values(urls)]);
  const urls = all.flatMap(url => (URL.canParse(url) ? [new URL(url).origin] : []));
  return [...new Set([formTarget(login), ...urls])].join(' ');
}

/** The site that the guest wanted to see; null for connectivity checks of operating systems and for unsafe addresses. */
export function goOnAddress(orig: string): string | null {
  const url = URL.canParse(orig) ? new URL(orig) : undefined;
  if (!url || orig.length > 600 || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) || connectivityChecks.test(url.host + url.pathname)) return null;
  return url.href;
}

const connectivityChecks =
  /generate_?204|captive\.apple\.com|hotspot-detect|connecttest|ncsi\.txt|msftconnecttest|msftncsi|detectportal|connectivity-?check|nmcheck\.gnome|network-test|\/success\.(html|txt)$|wifi\.|clients3\.google/i;
