import { escapeHtml } from '#lib/html.ts';
import { pageStyle } from '../page-style.ts';
import type { OpenHosts } from '../router-control.ts';
import { openHosts } from './open-hosts.ts';
import { quoted } from './quoted.ts';

/** The files of a RouterOS hotspot. Each only leads to a page of the portal. */

export const pageVersion = '3';

export const hotspotPages = ['login', 'alogin', 'status', 'logout', 'error'] as const;
export type HotspotPage = (typeof hotspotPages)[number];

/** The router's variables about the guest. RouterOS fills in $(…); -esc encodes a value for a URL. */
const guest = ['mac=$(mac-esc)', 'ip=$(ip-esc)', 'login=$(link-login-only-esc)'];
const arrival = [...guest, 'orig=$(link-orig-esc)', `v=${pageVersion}`, 'error=$(if error)$(error-esc)$(endif)'].join(
  '&',
);

/** Whether the router has a folder "flash": its other files are in memory, and lost at a restart. */
export const withFlash = (command: string): string =>
  `:if ([:len [/file find where name="flash"]] > 0) do={ ${command} }`;
const withoutFlash = (command: string): string => `:if ([:len [/file find where name="flash"]] = 0) do={ ${command} }`;

/** The lines that fetch a page from `url`. The router fills in `$p`. */
export function fetchLines(page: HotspotPage | '$p', url: string): string[] {
  const fetched = `/tool fetch url=${quoted(`${url}?page=`).slice(0, -1)}${page}" dst-path=`;
  return [withoutFlash(`${fetched}"portico/${page}.html"`), withFlash(`${fetched}"flash/portico/${page}.html"`)];
}

/**
 * Fetches the pages that are in neither folder, and brings the open hosts up to date. A page that cannot be fetched keeps none of
 * the others.
 */
export const pagesScript = (url: string, open: OpenHosts): string =>
  [
    ...openHosts(open),
    `:foreach p in={${hotspotPages.map(quoted).join(';')}} do={ :if ([:len [/file find where name~"portico/$p.html"]] = 0) do={ :do { ${fetchLines('$p', url).join('; ')} } on-error={} } }`,
    '',
  ].join('\n');

const targets: Readonly<Record<HotspotPage, string>> = {
  login: `?${arrival}`,
  // After a sign-in. Not the address in the request, which a stranger can make up.
  alogin: '/online?new=1',
  status: '/online',
  logout: `?${[...guest, 'step=logged_out'].join('&')}`,
  // Fatal errors; a refused sign-in shows login.html again.
  error: `?${arrival}`,
};

/**
 * One of the hotspot's files. It works without script: a meta refresh, or a link. `portalUrl` ends with the device's NAS
 * identifier.
 */
export function mikrotikPage(page: HotspotPage, { portalUrl }: { readonly portalUrl: string }): string {
  // The router would read a dollar sign as a variable.
  const target = escapeHtml(portalUrl.replaceAll('$', '%24')) + targets[page].replaceAll('&', '&amp;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Wi-Fi</title>
<style>${pageStyle}</style>
</head>
<body><a href="${target}">Wi-Fi &rarr;</a></body>
</html>
`;
}
