/**
 * Brands whose devices have a serial number instead of a MAC address. Without zod, so that screens can use it without the schemas.
 */
export const hasSerialNumber = (brandSlug: string): boolean => brandSlug === 'watchguard';

/**
 * The way in which a gateway takes its guests back. Brands share ways. `uam`: CoovaChilli's protocol. `post`: the guest's browser
 * posts its ticket to the gateway. `controller`: the portal tells the gateway's controller. `page`: the same, by a page of ours on the gateway. `grant`: the guest opens an address of
 * the gateway, which asks no one.
 */
export type GatewayKind = 'uam' | 'post' | 'page' | 'grant' | 'controller';
const kinds: Readonly<Record<GatewayKind, readonly string[]>> = {
  uam: ['coovachilli', 'uspot', 'uam'],
  post: ['aruba', 'cambium', 'cisco', 'fortigate', 'meraki', 'ruckus'],
  page: ['opnsense', 'pfsense'],
  grant: ['meraki-click'],
  controller: ['omada', 'unifi'],
};
export const gatewayKind = (brandSlug: string): GatewayKind | undefined =>
  (Object.keys(kinds) as GatewayKind[]).find(kind => kinds[kind].includes(brandSlug));

/** Brands whose devices are set up by configuration that the operator pastes. */
export const hasSetupFiles = (brandSlug: string): boolean =>
  gatewayKind(brandSlug) !== undefined || brandSlug === 'opennds';

const hasNoSecret = (brandSlug: string): boolean => ['grant', 'controller'].includes(gatewayKind(brandSlug) ?? '');

/** Whether a gateway is given our RADIUS server. */
export const usesRadius = (brandSlug: string): boolean =>
  !hasSerialNumber(brandSlug) && brandSlug !== 'opennds' && !hasNoSecret(brandSlug);

/** Whether a gateway knows the secret of its device, or keys that are made from it. */
export const hasSecret = (brandSlug: string): boolean => !hasNoSecret(brandSlug);

const logsOverTls = ['sophos', 'watchguard', 'fortigate', 'opnsense', 'coovachilli', 'opennds', 'uspot', 'uam'];

/** Whether a gateway can send its log lines over TLS. */
export const sendsLogsOverTls = (brandSlug: string): boolean => logsOverTls.includes(brandSlug);

/** Whether its devices get certificates, for RADIUS or for log lines over TLS. */
export const takesCertificates = (brandSlug: string): boolean => usesRadius(brandSlug) || sendsLogsOverTls(brandSlug);

/**
 * Brands that were built from the vendor's documentation and never tried on a gateway. The date is that of the documentation,
 * or the day on which it was read.
 */
const read = '2026-11-24';
const untried: Readonly<Record<string, string>> = {
  ...{ uspot: '2024-03-25', uam: '2024-03-25' },
  ...Object.fromEntries([...kinds.post, ...kinds.page, ...kinds.grant, ...kinds.controller].map(slug => [slug, read])),
};
export const documentedOn = (brandSlug: string): string | undefined => untried[brandSlug];
