import { escapeHtml } from '#lib/html.ts';
import { pageVersion } from '../page-version.ts';

/**
 * The captive portal's page of a Sophos firewall (SFOS, portal on port 8090): takes the guest to our portal, and hands the
 * ticket that comes back in the address to /login.xml (mode 191: sign in), which asks us by RADIUS. Then on to our page, or
 * to our portal with the firewall's words. `portalUrl` ends with the device's NAS identifier.
 */
export function sophosLoginTemplate({ portalUrl }: { readonly portalUrl: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<title>Wi-Fi</title>
<style>body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem system-ui,sans-serif;color:#14181f;background:#fff}a{display:inline-block;padding:1rem 1.5rem;border-radius:.75rem;background:#1f5fd6;color:#fff;text-decoration:none}</style>
</head>
<body>
<a id="portal" href="${escapeHtml(portalUrl)}">Wi-Fi &rarr;</a>
<script>
(function () {
  var query = new URLSearchParams(location.search);
  var portal = document.getElementById('portal');
  var back = location.origin + location.pathname;
  function ask(error) {
    portal.href += '?login=' + encodeURIComponent(back) + '&orig=' + encodeURIComponent(query.get('url') || '');
    portal.href += '&v=${pageVersion}&error=' + encodeURIComponent(error);
    location.replace(portal.href);
  }
  var ticket = query.get('username');
  if (!ticket) return ask('');
  var next = query.get('dst') || '';
  history.replaceState(null, '', location.pathname);
  var form = new URLSearchParams({ mode: '191', username: ticket, password: query.get('password') || '', a: String(Date.now()), producttype: '0' });
  fetch('/login.xml', { method: 'POST', body: form, cache: 'no-store' }).then(function (answer) { return answer.text(); }).then(function (text) {
    var said = new DOMParser().parseFromString(text, 'text/xml');
    function word(name) { var node = said.querySelector(name); return node ? node.textContent : ''; }
    if (word('status') !== 'LIVE') return ask(word('message') || 'not signed in');
    location.replace(next.indexOf(new URL(portal.href).origin + '/') === 0 ? next : portal.href);
  }).catch(function () { ask('not signed in'); });
})();
</script>
</body>
</html>
`;
}
