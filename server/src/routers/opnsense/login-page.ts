import { pageStyle } from '../page-style.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The `index.html` of an OPNsense captive portal template. It asks the firewall who the guest is, and sends the guest to the
 * portal. With a ticket in its address, it signs the guest in. OPNsense's interface answers with JSON, so it needs script.
 */
export function opnsensePage({ portalUrl }: { readonly portalUrl: string }): string {
  const ours = escapeHtml(portalUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<title>Wi-Fi</title>
<style>${pageStyle}</style>
</head>
<body>
<a id="portal" href="${ours}">Wi-Fi &rarr;</a>
<script>
(function () {
  var query = new URLSearchParams(location.search);
  var portal = document.getElementById('portal');
  var ours = portal.href;
  var back = location.origin + location.pathname;
  function send(what, fields) {
    var form = new URLSearchParams(fields);
    return fetch('/api/captiveportal/access/' + what + '/', { method: 'POST', body: form, cache: 'no-store' })
      .then(function (answer) { return answer.json(); });
  }
  function ask(error) {
    send('status', {}).catch(function () { return {}; }).then(function (said) {
      portal.href = ours + '?' + new URLSearchParams({
        login: back,
        ip: said.ipAddress || '',
        orig: query.get('redirurl') ? 'http://' + query.get('redirurl').replace(/^https?:\\/\\//, '') : '',
        error: error
      });
      location.replace(portal.href);
    });
  }
  if (query.get('logout')) return send('logoff', {}).then(function () { ask(''); }, function () { ask(''); });
  var ticket = query.get('username');
  if (!ticket) return ask('');
  var next = query.get('dst') || '';
  history.replaceState(null, '', location.pathname);
  send('logon', { user: ticket, password: query.get('password') || '' }).then(function (said) {
    if (said.clientState !== 'AUTHORIZED' && !said.sessionId) return ask('not signed in');
    location.replace(next.indexOf(new URL(ours).origin + '/') === 0 ? next : ours);
  }).catch(function () { ask('not signed in'); });
})();
</script>
</body>
</html>
`;
}
