import { escapeHtml } from '#lib/html.ts';

/**
 * The captive portal's page of a Sophos firewall (SFOS, portal on port 8090): takes the guest to our portal, and posts the
 * ticket that comes back in the address to /login.xml (mode 191: sign in), which asks us by RADIUS. `portalUrl` ends with the
 * device's NAS identifier.
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
<form id="login" method="post" action="/login.xml" hidden>
<input name="mode" value="191"><input name="username"><input name="password"><input name="a"><input name="producttype" value="0">
</form>
<script>
(function () {
  var query = new URLSearchParams(location.search);
  var form = document.getElementById('login');
  if (query.get('username')) {
    form.username.value = query.get('username');
    form.password.value = query.get('password');
    form.a.value = String(Date.now());
    history.replaceState(null, '', location.pathname);
    form.submit();
    return;
  }
  var back = location.origin + location.pathname;
  var link = document.getElementById('portal');
  link.href += '?login=' + encodeURIComponent(back) + '&orig=' + encodeURIComponent(query.get('url') || '');
  location.replace(link.href);
})();
</script>
</body>
</html>
`;
}
