import { escapeHtml } from '#lib/html.ts';
import { pageStyle } from '../page-style.ts';

export const pageVersion = '3';

/**
 * The page of a Sophos firewall's captive portal (SFOS, port 8090). It sends the guest to our portal. It posts the ticket that
 * comes back in the address to /login.xml (mode 191: sign in), which asks us by RADIUS. The guest then goes on to our page, or
 * back to the portal with the firewall's message. /logout.xml (mode 193) ends the session. Without script the page links to our
 * portal, which reads the return address from the Referer. `portalUrl` ends with the device's NAS identifier.
 */
export function sophosLoginTemplate({ portalUrl }: { readonly portalUrl: string }): string {
  const plain = escapeHtml(`${portalUrl}?step=plain&v=${pageVersion}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<meta name="referrer" content="unsafe-url">
<noscript><meta http-equiv="refresh" content="0;url=${plain}"></noscript>
<title>Wi-Fi</title>
<style>${pageStyle}</style>
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
    portal.href += '&v=${pageVersion}&error=' + encodeURIComponent(error);
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
