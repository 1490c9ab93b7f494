import { expect, test } from 'vitest';
import { hotspotPages, mikrotikPage } from './hotspot-pages.ts';

const at = { portalUrl: 'https://wifi.example/w/abcdefgh1234' };
const page = mikrotikPage('login', at);

test('the page sends the guest on with all that the router knows, URL-encoded', () => {
  const query =
    'mac=$(mac-esc)&amp;ip=$(ip-esc)&amp;login=$(link-login-only-esc)&amp;orig=$(link-orig-esc)&amp;v=3&amp;error=$(if error)$(error-esc)$(endif)';
  const target = `https://wifi.example/w/abcdefgh1234?${query}`;
  expect(page).toContain(`<meta http-equiv="refresh" content="0;url=${target}">`);
  expect(page).toContain(`<a href="${target}">`);
});

test('the pages after a sign-in, about a session and after its end lead to those of the portal', () => {
  const ways: [(typeof hotspotPages)[number], string][] = [
    ['alogin', '/online?new=1"'],
    ['status', '/online"'],
    ['logout', '?mac=$(mac-esc)&amp;ip=$(ip-esc)&amp;login=$(link-login-only-esc)&amp;step=logged_out"'],
    ['error', '?mac=$(mac-esc)&amp;ip=$(ip-esc)&amp;'],
  ];
  for (const [name, way] of ways) expect(mikrotikPage(name, at), name).toContain(`url=${at.portalUrl}${way}`);
});

test.each(hotspotPages)('%s.html needs no script and no other file, and is small', name => {
  const html = mikrotikPage(name, at);
  expect(html).not.toMatch(/<script|<link|src=/);
  expect(html.length).toBeLessThan(2000);
});

test('a portal address can inject neither HTML nor a RouterOS variable', () => {
  const hostile = mikrotikPage('logout', { portalUrl: 'https://x.example/"><script>$(username)' });
  expect(hostile).not.toContain('<script>');
  expect(hostile).not.toContain('$(username)');
});
