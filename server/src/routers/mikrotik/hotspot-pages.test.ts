import { paymentHosts } from '@portico/contract/payment-hosts.ts';
import { type Configuration, pasteInto } from '@portico/simulator/router-os/terminal.ts';
import { describe, expect, test } from 'vitest';
import { fetchLines, hotspotPages, mikrotikPage, pagesScript } from './hotspot-pages.ts';
import { maxScriptBytes } from './poll-script.ts';

const at = { portalUrl: 'https://wifi.example/w/abcdefgh1234' };
const page = mikrotikPage('login', at);
const none = { hosts: [], isComplete: true };

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
  expect(html, 'no white flash at night').toContain('color-scheme:light dark');
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
    pasteInto(router, pagesScript(url, none));
    expect(router.get('/file')!.slice(0, -1)).toEqual(before);
    expect(shown(router).at(-1)).toBe(names[0]);
    const all = router.get('/file');
    pasteInto(router, pagesScript(url, none));
    expect(router.get('/file')).toBe(all);
  });
});

describe('the hosts of providers', () => {
  const url = 'https://panel.example.com/v1/device/login-file/';
  const menu = '/ip hotspot walled-garden ip';
  const router = (): Configuration =>
    new Map([[menu, [{ '.id': '*1', 'dst-host': 'wifi.example.com', action: 'accept', comment: 'portico' }]]]);
  const opened = (it: Configuration) => it.get(menu)!.map(rule => [rule['dst-host'], rule['comment']].join(' '));

  test('are opened once, and closed when their provider is gone; the portal stays open', () => {
    const it = router();
    const portal = 'wifi.example.com portico';
    for (const _ of [1, 2]) pasteInto(it, pagesScript(url, { hosts: ['a.example', 'b.example'], isComplete: true }));
    expect(opened(it)).toEqual([portal, 'a.example portico-open', 'b.example portico-open']);
    pasteInto(it, pagesScript(url, { hosts: ['c.example'], isComplete: false }));
    expect(opened(it), 'a provider did not answer').toHaveLength(4);
    pasteInto(it, pagesScript(url, { hosts: ['b.example', 'wifi.example.com'], isComplete: true }));
    expect(opened(it)).toEqual([portal, 'b.example portico-open']);
    pasteInto(it, pagesScript(url, none));
    expect(opened(it)).toEqual([portal]);
  });

  test('of all providers fit into a variable of RouterOS 6', () => {
    const hosts = Object.values(paymentHosts).flat();
    expect(pagesScript(url + 'x'.repeat(150), { hosts, isComplete: true }).length).toBeLessThan(maxScriptBytes);
  });
});
