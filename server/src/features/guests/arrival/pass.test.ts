import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

interface Card {
  id: string;
  username: string;
  password: string;
  sign_in_url: string;
}
const card = async (more: object = {}): Promise<Card> => {
  const body = { total_user: 1, name: 'Kart', provider_type: 'username', location_id: venue.location, ...more };
  return (await venue.create('panel/client/bulk', body))[0];
};
const pathOf = ({ sign_in_url }: Card) => sign_in_url.replace('http://guests.example', '');
/** Scans the card like a phone in the network, and returns the browser's cookie. */
const scan = async (it: Card) => {
  const page = await venue.captive.get(pathOf(it));
  return { ...page, cookie: (page.headers.get('set-cookie') ?? '').split(';')[0]! };
};

describe('the QR code of a card', () => {
  test('leads through the router, and signs the guest in without typing', async () => {
    const it = await card();
    expect(it.sign_in_url).toMatch(/^http:\/\/guests\.example\/q\/[\w-]{64}$/);
    const page = await scan(it);
    expect(page.status).toBe(200);
    expect(page.html).toContain('href="http://neverssl.com/"');
    expect(page.html).toContain('Kafe &lt;Çınar&gt;');
    expect(page.html + page.cookie).not.toContain(it.password);
    expect(page.headers.get('set-cookie')).toMatch(/; Path=\/w; Max-Age=900; SameSite=Lax; HttpOnly$/);

    const back = await venue.captive.get(venue.arrival(), { cookie: page.cookie });
    expect(back.status).toBe(303);
    expect(back.headers.get('set-cookie')).toContain('portico_pass=;');
    const ticket = new URL(back.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  });

  test('that was printed before tenants had keys of their own is still valid', async () => {
    const it = await card();
    const bytes = Buffer.from(pathOf(it).slice('/q/'.length), 'base64url');
    const tenant = await venue.api.tenantId('panel');
    const seal = venue.api.app.secrets.sign(`guest pass:${tenant}:${it.id}:${it.password}`).slice(0, 32);
    const before = Buffer.concat([bytes.subarray(0, 32), Buffer.from(seal, 'hex')]).toString('base64url');
    expect(`/q/${before}`).not.toBe(pathOf(it));
    expect((await venue.captive.get(`/q/${before}`)).status).toBe(200);
  });

  test('shows the portal of the period, of the location and of its device', async () => {
    const festive = await venue.create('panel/portal', { name: 'Festive', location_id: venue.location });
    const offer = (id: string, slug: string) =>
      venue.update(`panel/portal/${id}`, { providers: [{ slug, order: 0, options: {} }] });
    await offer(festive.id, 'username');
    await offer(venue.portal.id, 'temp');
    const it = await card();
    expect((await scan(it)).status, 'no period').toBe(404);
    const portal_periods = [{ portal_id: festive.id, starts_on: '2020-01-01' }];
    for (const at of [`panel/location/${venue.location}`, `panel/device/${venue.device.id}`]) {
      await venue.update(at, { name: 'Festive', portal_periods });
      expect((await scan(it)).status, at).toBe(200);
      await venue.update(at, { name: 'Kafe <Çınar>', portal_periods: [] });
    }
    await offer(venue.portal.id, 'username');
  });

  test('leads to the router’s address if the location has only one', async () => {
    const own = (hotspot_address: string | null) =>
      venue.update(`panel/device/${venue.device.id}`, { name: 'Router', hotspot_address });
    await own('10.5.50.1');
    onTestFinished(() => own(null));
    expect((await scan(await card())).html).toContain('href="http://10.5.50.1/login"');
  });

  test.for([
    ['sophos', 'https://10.7.0.1:8090/'],
    ['watchguard', 'http://neverssl.com/'],
  ])('leads to the sign-in page of a %s, or to a page that the gateway intercepts', async ([brand, page]) => {
    const location = await venue.create('panel/location', { name: `With ${brand}` });
    await venue.create('panel/portal', { name: brand, location_id: location.id });
    const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
    const brand_id = brands.find((it: { slug: string }) => it.slug === brand).id;
    const address =
      brand === 'sophos'
        ? { mac_address: '02:00:00:00:00:78' }
        : { mac_address: '70AB02716F746', secret: 'a'.repeat(32) };
    const device = await venue.create('panel/device', { name: brand, brand_id, location_id: location.id, ...address });
    await venue.update(`panel/device/${device.id}`, { name: brand, hotspot_address: '10.7.0.1' });
    expect((await scan(await card({ location_id: location.id }))).html).toContain(`href="${page}"`);
  });

  test('fills in the form if the portal asks for more', async () => {
    await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '<p>Rules</p>' } } });
    const it = await card();
    const { cookie } = await scan(it);
    const page = await venue.captive.get(venue.arrival(), { cookie });
    expect(page.status).toBe(200);
    expect(page.html).toMatch(
      new RegExp(`name="username"[^>]*value="${it.username}"|value="${it.username}"[^>]*name="username"`),
    );
    expect(page.html).toContain(`value="${it.password}"`);
    expect(page.html).not.toContain('role="alert"');
    const answer = await venue.submit({ username: it.username, password: it.password }, { cookie });
    expect(answer.status).toBe(303);
    await venue.update(`panel/portal/${venue.portal.id}`, { agreements: {} });
  });

  test('is invalid after a change of password, at the end of its time or without its visitor, and cannot be forged', async () => {
    const over = async (path: string, status: number, words: string) => {
      const page = await venue.captive.get(path);
      expect([page.status, page.headers.get('set-cookie')], page.html).toEqual([status, null]);
      expect(page.html).toContain(words);
    };
    const late = await card({ session_end_at: '2020-01-01T00:00:00Z' });
    await over(pathOf(late), 403, 'Your access has ended');
    const it = await card();
    const path = pathOf(it);
    await over(`${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`, 404, 'no longer valid');
    await over('/q/short', 404, 'no longer valid');
    await over(`/q/${'A'.repeat(64)}`, 404, 'no longer valid');
    const other = pathOf(await card());
    await over(path.slice(0, 46) + other.slice(46), 404, 'no longer valid');
    await venue.update(`panel/client/${it.id}`, {
      name: 'x',
      provider_type: 'username',
      username: it.username,
      password: 'another one',
    });
    await over(path, 404, 'no longer valid');
    const again = (await venue.api.get(`panel/client/${it.id}`, { token: venue.admin })).body.data;
    expect((await scan(again)).status).toBe(200);
  });

  test('is invalid at another location', async () => {
    const other = (await venue.create('panel/location', { name: 'Elsewhere' })).id;
    await venue.create('panel/portal', { name: 'Elsewhere', location_id: other });
    const { cookie } = await scan(await card({ location_id: other }));
    expect(cookie).toMatch(/^portico_pass=./);
    const page = await venue.captive.get(venue.arrival(), { cookie });
    expect(page.status).toBe(200);
    expect(page.html).toContain('name="password"');
    expect(page.html).not.toMatch(/name="password"[^>]*value=/);
  });

  test('is tried once, so that a refusal does not loop', async () => {
    const { cookie } = await scan(await card());
    const page = await venue.captive.get(venue.arrival({ error: 'Your access has ended.' }), { cookie });
    expect(page.status).toBe(200);
    expect(page.html).toContain('<h1>Your access has ended</h1>');
    const form = /class="button" href="([^"]*step=form[^"]*)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    expect((await venue.captive.get(form, { cookie })).html).toContain('name="password"');
  });

  test('is shown only to users who may see the password', async () => {
    const it = await card();
    const permissions = ['view-clients'];
    const looking = (await venue.api.user('member', { location: venue.location, permissions })).token;
    const seen = await venue.api.get(`panel/client/${it.id}`, { token: looking });
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain('/q/');
    const list = await venue.api.get('panel/client?per_page=1000', { token: venue.admin });
    expect(list.text).not.toContain('/q/');
  });
});
