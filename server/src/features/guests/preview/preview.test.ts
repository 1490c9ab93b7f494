import { unsavedPortalId } from '@portico/contract/portals.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#features/tenants/public.ts';
import { signPreview } from '../../portals/preview-link.ts';
import { startProvider } from '../testing/provider.ts';
import { newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
}, 120_000);
newGuestEachTest(() => venue);

describe('the preview', () => {
  const at = (id: string, tenant = 'panel') => `/preview/${id}?tenant=${tenant}`;
  const draw = (id: string, draft: unknown, headers: Record<string, string> = {}, tenant = 'panel') =>
    venue.captive.ask(at(id, tenant), {
      method: 'POST',
      body: JSON.stringify(draft),
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('shows a portal with all active methods, in the panel’s frame only', async () => {
    const page = await venue.captive.get(at(venue.portal.id));
    expect(page.status).toBe(200);
    expect(page.html).toContain('data-panel="http://localhost:8080"');
    const csp = page.headers.get('content-security-policy')!;
    expect(csp).toContain('frame-ancestors http://localhost:8080');
    expect(csp).toContain("form-action 'none'");
    expect(page.headers.get('x-frame-options')).toBeNull();
  });

  test('can be framed by the panel at each name of this machine, where its own name is localhost', async () => {
    const framedBy = async (panel: string) =>
      (await venue.captive.get(`${at(venue.portal.id)}&panel=${encodeURIComponent(panel)}`)).headers
        .get('content-security-policy')
        ?.match(/frame-ancestors ([^;]*);/)?.[1];
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await framedBy(`http://${host}:8080`)).toBe(`http://${host}:8080`);
    for (const panel of ['http://127.0.0.1:8082', 'https://127.0.0.1:8080', 'http://127.0.0.1.example.com:8080'])
      expect(await framedBy(panel), panel).toBe('http://localhost:8080');
  });

  test('can be framed by the tenant’s own host names, and by no other', async () => {
    const domain = { host: 'wifi.otel.example', variant: 'reseller' };
    await venue.create('panel/tenant/domains', domain);
    // The state after the proof by DNS.
    await venue.run(sql`update tenant_domains set verified_at = now() where host = ${domain.host}`);
    const framedBy = async (panel: string) => {
      const page = await venue.captive.get(`${at(venue.portal.id)}&panel=${encodeURIComponent(panel)}`);
      const csp = page.headers.get('content-security-policy') ?? '';
      const [, named] = /data-panel="([^"]*)"/.exec(page.html) ?? [];
      expect(csp).toContain(`frame-ancestors ${named};`);
      return named;
    };
    expect(await framedBy('http://wifi.otel.example:8080')).toBe('http://wifi.otel.example:8080');
    for (const other of [
      'http://evil.example:8080',
      'https://wifi.otel.example:8080',
      'http://wifi.otel.example',
      "http://x' *; script-src *",
      'null',
    ])
      expect(await framedBy(other), other).toBe('http://localhost:8080');
  });

  test('shows only the methods that the location was given', async () => {
    await venue.update(`panel/location/${venue.location}`, { available_providers: ['sms'] });
    const providers = [
      { slug: 'sms', order: 1 },
      { slug: 'username', order: 2 },
    ];
    const answer = await draw(venue.portal.id, { providers });
    expect(answer.html).toContain('phone');
    expect(answer.html).not.toContain('password');
    await venue.update(`panel/location/${venue.location}`, { available_providers: [] });
  });

  test('shows the starting design of a portal that is not saved yet', async () => {
    expect((await venue.captive.get(at(unsavedPortalId))).status).toBe(200);
    const answer = await draw(unsavedPortalId, {
      messages: { header_text: { en: 'Open <b>daily</b>' }, footer_text: { en: 'Call 112' } },
      language: 'en',
    });
    expect(answer.status).toBe(200);
    expect(answer.html).toMatch(/Open &lt;b&gt;daily.*Call 112/s);
    expect((await venue.captive.get('/preview/00000000-0000-0000-0000-000000000001')).status).toBe(404);
  });

  test('shows a template on a portal and on a new one', async () => {
    for (const id of [venue.portal.id, unsavedPortalId]) {
      const { html } = await venue.captive.get(`${at(id)}&lang=en&template=hotel`);
      expect(html).toContain('Welcome to our hotel');
      expect(html).toContain('/assets/art-hotel.svg');
      expect(html).toContain('href="/assets/playfair.woff2"');
      const turkish = (await venue.captive.get(`${at(id)}&lang=tr&template=hotel`)).html;
      expect(turkish).toContain('href="/assets/playfair.woff2"');
      expect(turkish).not.toContain('href="/assets/playfair-ext.woff2"');
    }
    expect((await venue.captive.get(`${at(venue.portal.id)}&lang=en&template=castle`)).html).not.toContain('/assets/');
    const font = await venue.captive.get('/assets/playfair-ext.woff2');
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect((await venue.captive.get('/assets/..%2frender.js')).status).toBe(404);
  });

  test('shows each page as guests see it, with sample values', async () => {
    const pageOf = async (view: object) =>
      JSON.parse((await draw(venue.portal.id, { view, language: 'en' })).html).body;
    expect(await pageOf({ page: 'code' })).toContain('name="code"');
    expect(await pageOf({ page: 'error' })).toContain('role="alert"');
    // Each method refuses in its own words.
    expect(await pageOf({ page: 'error', method: 'username' })).toContain('Wrong username or password');
    expect(await pageOf({ page: 'error', method: 'voucher' })).not.toContain('Wrong username or password');
    expect(await pageOf({ page: 'error', method: 'email' })).toContain('This is not an e-mail address');
    expect(await pageOf({ page: 'error', method: 'sms' })).not.toContain('These details do not match');
    expect(await pageOf({ page: 'error', method: 'temp' })).toContain('free access is used up');
    expect(await pageOf({ page: 'online' })).toContain('Time left');
    expect(await pageOf({ page: 'survey' })).toContain('<form');
    const pages = await Promise.all(['over', 'blocked', 'sign-in'].map(page => pageOf({ page })));
    expect(new Set(pages).size).toBe(3);
    expect((await draw(venue.portal.id, { view: { page: 'secret' } })).status).toBe(400);
    const css = async (dark: boolean) =>
      JSON.parse((await draw(venue.portal.id, { styles: { dark_mode: 'device' }, view: { dark } })).html).css;
    expect(await css(true)).toMatch(/^.*:root\{color-scheme:dark/s);
    expect(await css(false)).toContain('prefers-color-scheme:dark');
  });

  test('has the buttons for accounts and paid access where guests of the location get them', async () => {
    const pageOf = async (page: string, portal = venue.portal.id) =>
      JSON.parse((await draw(portal, { view: { page }, language: 'en' })).html).body as string;
    const words = ['Continue with Köy Kimlik', 'Choose a package', 'Restore my purchase'] as const;
    const shownIn = (html: string) => words.filter(it => html.includes(it));
    expect(shownIn(await pageOf('sign-in'))).toEqual([]);
    const connect = (integration_id: string, connection: object) =>
      venue.create('panel/integration', {
        name: integration_id,
        location_id: venue.location,
        integration_id,
        params: { connection },
      });
    const provider = await startProvider({ id: 'p', secret: 's' });
    const account = { issuer: provider.issuer, client_id: 'p', client_secret: 's', label: 'Köy Kimlik' };
    const openid = await connect('openid', { type: 'openid', ...account });
    expect(shownIn(await pageOf('sign-in'))).toEqual([words[0]]);
    const paid_sale = { is_active: true, option: 'eur', value: 5 };
    const profile = await venue.create('panel/location/user-profile', {
      name: 'Paid',
      location_id: venue.location,
      paid_sale,
    });
    const day = { location_id: venue.location, profile_id: profile.id, name: { en: 'A day' }, price: 499 };
    const sold = await venue.create('panel/package', { ...day, currency: 'eur' });
    // No one can pay yet.
    expect(shownIn(await pageOf('sign-in'))).toEqual([words[0]]);
    for (const page of ['buy', 'confirm']) expect(await pageOf(page), page).not.toContain('A day');
    const desk = await connect('test-payment', { type: 'test-payment' });
    const arrived = await venue.captive.get(venue.arrival());
    expect(shownIn(arrived.html)).toEqual([...words]);
    expect(shownIn(await pageOf('sign-in'))).toEqual([...words]);
    expect(await pageOf('online')).toContain('Buy more time');
    expect(await pageOf('buy')).toMatch(/Choose a package.*<bdi>A day<.*€4\.99/s);
    expect(await pageOf('confirm')).toMatch(/Your purchase.*<bdi>A day<.*€4\.99.*name="email"/s);
    expect(await pageOf('confirm')).not.toContain('name="room_number"');
    // The page's frame tells the editor that these pages are to be had.
    expect((await venue.captive.get(at(venue.portal.id))).html).toContain('data-sells');
    // A portal of the whole tenant names no package of a location.
    const shared = await venue.create('panel/portal', { name: 'Everywhere' });
    const other = await venue.create('panel/location', { name: 'Elsewhere' });
    const bought = { ...day, location_id: other.id, name: { en: 'A week' }, currency: 'eur' };
    const otherProfile = await venue.create('panel/location/user-profile', {
      name: 'Paid there',
      location_id: other.id,
      paid_sale,
    });
    await venue.create('panel/package', { ...bought, profile_id: otherProfile.id });
    await venue.create('panel/integration', {
      name: 'Desk',
      location_id: other.id,
      integration_id: 'test-payment',
      params: { connection: { type: 'test-payment' } },
    });
    await venue.update(`panel/location/${other.id}`, { name: 'Elsewhere', portal_id: shared.id });
    for (const page of ['buy', 'confirm']) {
      const html = await pageOf(page, shared.id);
      expect(html, page).toMatch(/<bdi>24 hours<.*€4\.99/s);
      expect(html, page).not.toContain('A week');
    }
    // A portal that no location shows has none of it.
    const own = await venue.create('panel/portal', { name: 'Nowhere' });
    expect(shownIn(await pageOf('sign-in', own.id))).toEqual([]);
    expect((await venue.captive.get(at(own.id))).html).not.toContain('data-sells');
    for (const [path, { id }] of [
      ['package', sold],
      ['integration', openid],
      ['integration', desk],
    ] as const)
      expect((await venue.api.delete(`panel/${path}/${id}`, { token: venue.admin })).status).toBe(204);
    await provider.close();
    expect(shownIn(await pageOf('sign-in'))).toEqual([]);
  });

  test('renders unsaved changes without saving them', async () => {
    const answer = await draw(venue.portal.id, {
      styles: { primary_color: '#00aa00' },
      messages: { welcome_message_title: { ar: 'مرحبا' } },
      providers: [
        { slug: 'sms', order: 1 },
        { slug: 'temp', order: 2, options: { collect_email: true } },
      ],
      language: 'ar',
    });
    expect(answer.status, answer.html).toBe(200);
    const { css, body, dir, language } = JSON.parse(answer.html);
    expect([language, dir]).toEqual(['ar', 'rtl']);
    expect(css).toContain('--second:');
    expect(body).toContain('مرحبا');
    expect(body).toContain('name="phone"');
    expect(body).not.toContain('name="username"');
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="username"');
  });

  test('shows custom CSS as guests get it, and none of it while it has a mistake', async () => {
    const css = async (custom_css: string) => {
      const page = await draw(venue.portal.id, { styles: { custom_css } });
      expect(page.status).toBe(200);
      return JSON.parse(page.html).css;
    };
    expect(await css('.card { max-width: 600px }')).toContain('.card.card{max-width:600px}');
    expect(await css('.card { max-width: 600px } body { margin: 0 }')).not.toContain('600px');
  });

  test('shows a draft only with its token', async () => {
    const { id } = venue.portal;
    const portal = (of: string) => `panel/portal/${of}`;
    const title = { messages: { welcome_message_title: { en: 'Not for guests yet' } } };
    expect((await venue.api.put(`${portal(id)}/draft`, { token: venue.admin, body: title })).status).toBe(200);
    const tokenOf = async (of: string): Promise<string> =>
      (await venue.api.get(`${portal(of)}/preview`, { token: venue.admin })).body.data.token;
    const token = await tokenOf(id);
    const shown = (more: string) => venue.captive.get(`${at(id)}&lang=en${more}`);
    const drawn = (more: string) =>
      venue.captive.ask(`${at(id)}&lang=en${more}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
    for (const show of [shown, drawn]) {
      expect((await show(`&token=${token}`)).html).toContain('Not for guests yet');
      const open = await show('');
      expect(open.status).toBe(200);
      expect(open.html).not.toContain('Not for guests yet');
      const other = await tokenOf((await venue.create('panel/portal', { name: 'Other' })).id);
      const [until, signature] = token.split('.');
      const later = `${(Number.parseInt(until!, 36) + 1).toString(36)}.${signature}`;
      const old = signPreview(
        venue.api.app.secrets,
        { tenantId: await venue.api.tenantId('panel'), portalId: id },
        Date.now() - 2 * 3_600_000 - 1,
      );
      for (const bad of ['', 'x', until!, later, other, old, `${token}x`, `${token}&token=${token}`]) {
        const answer = await show(`&token=${bad}`);
        expect([answer.status, answer.html.includes('Not for guests yet')], bad).toEqual([403, false]);
      }
    }
    const [newest] = (await venue.api.get(`${portal(id)}/history`, { token: venue.admin })).body.data;
    expect((await shown(`&token=${token}&version=${newest.id}`)).html).not.toContain('Not for guests yet');
    expect((await shown(`&token=${token}&version=x`)).html).toContain('Not for guests yet');
    await venue.api.delete(`${portal(id)}/draft`, { token: venue.admin });
  });

  test('refuses other sites, other tenants and malformed input', async () => {
    await venue.api.app.db.withSystem(tx => createTenant(tx, 'neighbour', 'Neighbour'));
    expect((await venue.captive.get(at(venue.portal.id, 'neighbour'))).status).toBe(404);
    expect((await draw(venue.portal.id, {}, {}, 'neighbour')).status).toBe(404);
    expect((await venue.captive.get(at(venue.portal.id, 'nobody'))).status).toBe(404);
    expect((await venue.captive.get(at('00000000-0000-4000-8000-000000000000'))).status).toBe(404);
    expect((await venue.captive.get(at('x'))).status).toBe(404);
    expect((await draw(venue.portal.id, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await venue.captive.form(at(venue.portal.id), { styles: '{}' })).status).toBe(403);
    expect((await draw(venue.portal.id, { styles: { primary_color: '</style><script>' } })).status).toBe(400);
    const logo = await draw(venue.portal.id, {
      styles: { portal_logo: 'https://evil.example/uploads/00000000-0000-4000-8000-000000000000/x.png' },
    });
    expect(JSON.parse(logo.html).body).not.toContain('evil');
    const text = await draw(venue.portal.id, {
      messages: { welcome_message_title: { en: '<script>alert(1)</script>' } },
    });
    expect(JSON.parse(text.html).body).toContain('&lt;script&gt;');
  });
});
