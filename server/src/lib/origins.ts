import { isIP } from 'node:net';
import type { Settings } from '../settings.ts';
import { inUrl } from './own-address.ts';

const of = (setting: string, slug: string): string => setting.replaceAll('{tenant}', slug);

/** The panel's origin of a tenant, without a slash at its end: a place `{tenant}` in the setting is its slug. */
export const panelOrigin = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>, slug: string): string => of(PUBLIC_URL, slug);

/** The guests' origin of a tenant, likewise. */
export const captiveOrigin = ({ CAPTIVE_URL }: Pick<Settings, 'CAPTIVE_URL'>, slug: string): string =>
  of(CAPTIVE_URL, slug);

const loopback = /^(127\.|::1$)/;

/**
 * An origin for the browser that asked at `host` (without port). Without settings it names localhost, which is another machine
 * for a browser elsewhere in the network: there the address that it used takes its place. Only an address counts, because the
 * owner of a web page can lead a name here. The answer goes to the asking browser alone.
 */
export function originSeenAt(origin: string, host: string): string {
  const url = URL.parse(origin);
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (url?.hostname !== 'localhost' || !isIP(address) || loopback.test(address)) return origin;
  url.hostname = inUrl(address);
  return url.origin;
}
