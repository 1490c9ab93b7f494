import { expect, test } from 'vitest';
import { mikrotikLoginPage } from './login-page.ts';

const page = mikrotikLoginPage({ portalUrl: 'https://wifi.example/w/abcdefgh1234' });

test('hands the guest over with everything the router knows, made fit for an address', () => {
  const query =
    'mac=$(mac-esc)&amp;ip=$(ip-esc)&amp;login=$(link-login-only-esc)&amp;orig=$(link-orig-esc)&amp;v=2&amp;error=$(if error)$(error-esc)$(endif)';
  const target = `https://wifi.example/w/abcdefgh1234?${query}`;
  expect(page).toContain(`<meta http-equiv="refresh" content="0;url=${target}">`);
  expect(page).toContain(`<a href="${target}">`);
});

test('needs no script and nothing from elsewhere, and fits into a router', () => {
  expect(page).not.toMatch(/<script|<link|src=/);
  expect(page.length).toBeLessThan(2000);
});

test('an address can write neither HTML nor a variable of the router into it', () => {
  const hostile = mikrotikLoginPage({ portalUrl: 'https://x.example/"><script>$(username)' });
  expect(hostile).not.toContain('<script>');
  expect(hostile).not.toContain('$(username)');
});
