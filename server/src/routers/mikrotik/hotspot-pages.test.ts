import { type Configuration, pasteInto } from '@portico/simulator/router-os/terminal.ts';
import { describe, expect, test } from 'vitest';
import { fetchLines, hotspotPages, mikrotikPage, pagesScript } from './hotspot-pages.ts';

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

describe.each([
  { folder: 'portico', files: [] },
  { folder: 'flash/portico', files: ['flash'] },
])('a router whose pages are in $folder', ({ folder, files }) => {
  const url = 'https://panel.example.com/login-file';
  const names = hotspotPages.map(page => `${folder}/${page}.html`);
  const routerWith = (has: readonly string[]): Configuration =>
    new Map([['/file', has.map((name, i) => ({ '.id': `*${i}`, name }))]]);
  const shown = (router: Configuration) => router.get('/file')!.map(file => file['name']);

  test('fetches them into it', () => {
    const router = routerWith(files);
    pasteInto(router, hotspotPages.flatMap(page => fetchLines(page, url)).join('\n'));
    expect(shown(router)).toEqual([...files, ...names]);
  });

  test('fetches a missing one again, and no other', () => {
    const router = routerWith([...files, ...names.slice(1)]);
    const before = router.get('/file')!.slice();
    pasteInto(router, pagesScript(url));
    expect(router.get('/file')!.slice(0, -1)).toEqual(before);
    expect(shown(router).at(-1)).toBe(names[0]);
    const all = router.get('/file');
    pasteInto(router, pagesScript(url));
    expect(router.get('/file')).toBe(all);
  });
});
