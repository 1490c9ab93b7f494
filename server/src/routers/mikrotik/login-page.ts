import { escapeHtml } from '#lib/html.ts';

export const pageVersion = '2';

/**
 * The hotspot's login.html, which sends the guest to the portal. RouterOS fills in $(…); -esc encodes a value for a URL.
 * The page works without script: a meta refresh, or a link. `portalUrl` ends with the device's NAS identifier.
 */
export function mikrotikLoginPage({ portalUrl }: { readonly portalUrl: string }): string {
  const query = [
    'mac=$(mac-esc)',
    'ip=$(ip-esc)',
    'login=$(link-login-only-esc)',
    'orig=$(link-orig-esc)',
    `v=${pageVersion}`,
    'error=$(if error)$(error-esc)$(endif)',
  ].join('&amp;');
  // The router would read a dollar sign as a variable.
  const target = `${escapeHtml(portalUrl.replaceAll('$', '%24'))}?${query}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Wi-Fi</title>
<style>body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem system-ui,sans-serif;color:#14181f;background:#fff}a{display:inline-block;padding:1rem 1.5rem;border-radius:.75rem;background:#1f5fd6;color:#fff;text-decoration:none}</style>
</head>
<body><a href="${target}">Wi-Fi &rarr;</a></body>
</html>
`;
}
