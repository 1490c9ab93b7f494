import { escapeHtml } from '#lib/html.ts';
import { pageVersions } from '../page-version.ts';

/**
 * The captive portal's page of a Sophos firewall (SFOS, portal on port 8090): takes the guest to our portal, and hands the
 * ticket that comes back in the address to /login.xml (mode 191: sign in), which asks us by RADIUS. Then on to our page, or
 * to our portal with the firewall's words; /logout.xml (mode 193) ends the session. Without script it leads to our portal all
 * the same, which reads where it stands from the Referer and sends a form to these by itself. `portalUrl` ends with the
 * device's NAS identifier.
 */
export function sophosLoginTemplate({ portalUrl }: { readonly portalUrl: string }): string {
  const plain = escapeHtml(`${portalUrl}?step=plain&v=${pageVersions.sophos}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<meta name="referrer" content="unsafe-url">
<noscript><meta http-equiv="refresh" content="0;url=${plain}"></noscript>
<title>Wi-Fi</title>
<style>body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem system-ui,sans-serif;color:#14181f;background:#fff}a{display:inline-block;padding:1rem 1.5rem;border-radius:.75rem;background:#1f5fd6;color:#fff;text-decoration:none}</style>
</head>
<body>
<a id="portal" href="${plain}">Wi-Fi &rarr;</a>
<script>
(function () {
  var query = new URLSearchParams(location.search);
  var portal = document.getElementById('portal');
  var ours = portal.href.split('?')[0];
  var back = location.origin + location.pathname;
  function ask(error) {
    portal.href = ours + '?login=' + encodeURIComponent(back) + '&orig=' + encodeURIComponent(query.get('url') || '');
    portal.href += '&v=${pageVersions.sophos}&error=' + encodeURIComponent(error);
    location.replace(portal.href);
  }
  function send(to, fields) {
    fields.a = String(Date.now());
    fields.producttype = '0';
    var form = new URLSearchParams(fields);
    return fetch(to, { method: 'POST', body: form, cache: 'no-store' }).then(function (answer) { return answer.text(); });
  }
  function leave() { ask(''); }
  var leaving = query.get('logout');
  if (leaving) return send('/logout.xml', { mode: '193', username: leaving }).then(leave, leave);
  var ticket = query.get('username');
  if (!ticket) return ask('');
  var next = query.get('dst') || '';
  history.replaceState(null, '', location.pathname);
  send('/login.xml', { mode: '191', username: ticket, password: query.get('password') || '' }).then(function (text) {
    var said = new DOMParser().parseFromString(text, 'text/xml');
    function word(name) { var node = said.querySelector(name); return node ? node.textContent : ''; }
    if (word('status') !== 'LIVE') return ask(word('message') || 'not signed in');
    location.replace(next.indexOf(new URL(ours).origin + '/') === 0 ? next : ours);
  }).catch(function () { ask('not signed in'); });
})();
</script>
</body>
</html>
`;
}
