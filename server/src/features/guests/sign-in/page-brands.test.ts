import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { routerAt } from '#features/sessions/testing/router.ts';
import type { Body } from '#test/harness.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
const devices: Record<string, Body> = {};
beforeAll(async () => {
  venue = await startVenue();
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  for (const [i, slug] of ['meraki-click', 'opnsense'].entries())
    devices[slug] = await venue.create('panel/device', {
      ...{ name: slug, brand_id: brands.find(it => it.slug === slug)!['id'], location_id: venue.location },
      mac_address: `02:00:00:00:30:${10 + i}`,
    });
}, 120_000);
newGuestEachTest(() => venue);

const nasOf = (slug: string): string => devices[slug]!['nas_identifier'];
const local = (url: string) => url.replace('http://guests.example', '');
const open = (slug: string, query: Record<string, string>) =>
  venue.captive.get(`/w/${nasOf(slug)}?${new URLSearchParams(query)}`);
const signIn = async (slug: string, query: Record<string, string>) => {
  const page = await open(slug, query);
  expect(page.status, page.html).toBe(200);
  const typed = { state: stateOf(page.html), method: 'username', username: await venue.visitor() };
  const answer = await venue.captive.form(`/w/${nasOf(slug)}/sign-in`, { ...typed, password: 'parola 1' });
  expect(answer.status, answer.html).toBe(303);
  return { answer, to: new URL(answer.headers.get('location')!) };
};

describe('a guest of Meraki with click-through', () => {
  const arrival = (more: Record<string, string> = {}) => ({
    ...{ base_grant_url: 'https://n143.network-auth.com/splash/grant', user_continue_url: 'http://example.com/' },
    ...{ node_id: '1301936', node_mac: '00:18:0a:13:dd:b0', gateway_id: '1301936', client_ip: '10.162.50.40' },
    ...{ client_mac: venue.mac.toLowerCase(), ...more },
  });

  test('carries the grant, and its session begins when it is back', async () => {
    const { answer, to } = await signIn('meraki-click', arrival());
    expect(to.origin + to.pathname).toBe('https://n143.network-auth.com/splash/grant');
    expect(to.searchParams.get('duration')).toBe('86400');
    const back = to.searchParams.get('continue_url')!;
    expect(back).toMatch(/^http:\/\/guests\.example\/w\/\w+\/online\?new=1&g=/);
    const page = await venue.captive.get(local(back), { cookie: cookiesOf(answer) });
    expect(page.html).toContain('You are connected');
    const rows = await venue.rows(
      sql`select * from online_sessions where device_id = ${devices['meraki-click']!['id']}`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!['visitor_id']).not.toBeNull();
  });

  test('is shown to no other browser that claims its MAC', async () => {
    const { answer, to } = await signIn('meraki-click', arrival());
    await venue.captive.get(local(to.searchParams.get('continue_url')!), { cookie: cookiesOf(answer) });
    const { answer: other } = await signIn('meraki-click', arrival());
    const page = await venue.captive.get(`/w/${nasOf('meraki-click')}/online`, { cookie: cookiesOf(other) });
    expect([page.status, page.html]).toEqual([200, expect.not.stringContaining('You are connected')]);
  });

  test.each([
    ['another site', { base_grant_url: 'https://evil.example/splash/grant' }],
    ['a name that ends the same', { base_grant_url: 'https://evilnetwork-auth.com/splash/grant' }],
    ['another path', { base_grant_url: 'https://n143.network-auth.com/elsewhere' }],
    ['no TLS', { base_grant_url: 'http://n143.network-auth.com/splash/grant' }],
    ['a script', { base_grant_url: 'javascript:alert(1)' }],
    ['a password in the address', { base_grant_url: 'https://a:b@n143.network-auth.com/splash/grant' }],
    ['no MAC', { client_mac: '' }],
    ['half a MAC', { client_mac: 'ff:ff:96:d5:d5' }],
  ])('gets no form with %s', async (_what, change) => {
    const page = await open('meraki-click', arrival(change));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('name="state"');
  });
});

describe('a guest of OPNsense', () => {
  const login = 'https://192.168.1.1:8000/index.html';

  test('returns to our page on the firewall, and is online by its ticket without a MAC or Class', async () => {
    const { answer, to } = await signIn('opnsense', { login, ip: '192.168.1.50', orig: 'http://example.com/' });
    expect(to.origin + to.pathname).toBe(login);
    const ticket = to.searchParams.get('username')!;
    expect(to.searchParams.get('password')).toBe(ticket);

    const gateway = await routerAt(venue.api.app, nasOf('opnsense'));
    expect(await gateway.asks(ticket)).toMatchObject({ outcome: 'accept' });
    await gateway.reports('start', ticket, { sessionId: 'abc', uploadBytes: 5, downloadBytes: 9 });
    const dst = new URL(to.searchParams.get('dst')!);
    const page = await venue.captive.get(dst.pathname + dst.search, { cookie: cookiesOf(answer) });
    expect(page.html).toContain('You are connected');
  });

  test('gets no form with the address of a stranger', async () => {
    for (const bad of ['https://evil.example/index.html', 'javascript:alert(1)', ''])
      expect((await open('opnsense', { login: bad })).status, bad).toBe(400);
  });

  test('has a template page with the portal’s address', async () => {
    const at = `panel/device/${devices['opnsense']!['id']}/setup-files`;
    const files: Body[] = (await venue.api.get(at, { token: venue.admin })).body.data;
    expect(files.map(it => it['name'])).toEqual(['OPNsense', 'index.html']);
    expect(files[1]!['text']).toContain(devices['opnsense']!['portal_url']);
  });
});
