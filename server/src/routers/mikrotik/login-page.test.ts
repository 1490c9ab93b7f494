import { expect, test } from 'vitest';
import { mikrotikLoginPage } from './login-page.ts';

const page = mikrotikLoginPage({ portalUrl: 'https://wifi.example/w/abcdefgh1234' });

test('the page sends the guest on with all that the router knows, URL-encoded', () => {
  const query =
    'mac=$(mac-esc)&amp;ip=$(ip-esc)&amp;login=$(link-login-only-esc)&amp;orig=$(link-orig-esc)&amp;v=2&amp;error=$(if error)$(error-esc)$(endif)';
  const target = `https://wifi.example/w/abcdefgh1234?${query}`;
  expect(page).toContain(`<meta http-equiv="refresh" content="0;url=${target}">`);
  expect(page).toContain(`<a href="${target}">`);
});

test('the page needs no script and no other file, and is small', () => {
  expect(page).not.toMatch(/<script|<link|src=/);
  expect(page.length).toBeLessThan(2000);
});

test('a portal address can inject neither HTML nor a RouterOS variable', () => {
  const hostile = mikrotikLoginPage({ portalUrl: 'https://x.example/"><script>$(username)' });
  expect(hostile).not.toContain('<script>');
  expect(hostile).not.toContain('$(username)');
});
