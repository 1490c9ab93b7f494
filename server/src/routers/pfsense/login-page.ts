import { pageStyle } from '../page-style.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The page that pfSense shows to its guests for signing in and for errors (Services › Captive Portal › HTML page contents). The
 * words between dollar signs are replaced by pfSense. Without script, the guest's wanted site and the reason of a refusal are
 * left out: pfSense writes them into the page, not into an address.
 */
export function pfsensePage({ portalUrl }: { readonly portalUrl: string }): string {
  const ours = escapeHtml(portalUrl);
  const plain = `${ours}?mac=$CLIENT_MAC$&amp;ip=$CLIENT_IP$&amp;zone=$PORTAL_ZONE$&amp;action=$PORTAL_ACTION$`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="cache-control" content="no-store">
<noscript><meta http-equiv="refresh" content="0;url=${plain}"></noscript>
<title>Wi-Fi</title>
<style>${pageStyle}</style>
</head>
<body>
<a id="portal" href="${plain}">Wi-Fi &rarr;</a>
<form id="facts" hidden method="post" action="$PORTAL_ACTION$">
<input name="redirurl" value="$PORTAL_REDIRURL$"><input name="zone" value="$PORTAL_ZONE$">
<input name="message" value="$PORTAL_MESSAGE$"><input name="mac" value="$CLIENT_MAC$"><input name="ip" value="$CLIENT_IP$">
</form>
<script>
(function () {
  var form = document.getElementById('facts');
  function value(name) {
    var text = form.elements[name].value;
    return text.indexOf('$') === 0 ? '' : text;
  }
  var query = new URLSearchParams({
    mac: value('mac'),
    ip: value('ip'),
    zone: value('zone'),
    action: form.action,
    orig: value('redirurl'),
    error: value('message')
  });
  location.replace('${ours}?' + query);
})();
</script>
</body>
</html>
`;
}
