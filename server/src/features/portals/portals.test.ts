import { readdirSync } from 'node:fs';
import { providerSlugs } from '@portico/contract/locations.ts';
import { portalLanguages } from '@portico/contract/portal-languages.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { patience } from '#lib/pictures/redraw.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
let location: string;

const newLocation = (name: string, token = admin) => api.location(token, name);
/** A member who works in a location. */
const memberOf = async (id: string, permissions?: string[]) =>
  (await api.user('member', { location: id, ...(permissions && { permissions }) })).token;
const make = async (token: string, name = 'Lobby'): Promise<Body> => {
  const answer = await api.post('panel/portal', { token, body: { name } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const upload = (file: Uint8Array | string, collection = 'logo', name = 'x.png') => fileForm(file, { collection, name });

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await newLocation('Kafe Çınar');
});

describe('a portal', () => {
  test('asks only for a name; the contract gives the rest', async () => {
    const own = await newLocation('Kafe Yeni');
    const token = await memberOf(own);
    const portal = await make(token, '  Lobby ');
    expect(portal).toMatchObject({
      name: 'Lobby',
      location: { id: own, name: 'Kafe Yeni' },
      color_scheme: 'light',
      styles: { primary_color: '#2f71f2', background_type: 'image', color_type: 'solid', logo_scale: 50 },
      agreements: { kvkk: {}, general: {} },
      redirect_rules: [],
      advertisements: [],
      surveys: [],
      used_by: 1,
    });
    expect(portal.providers.map((p: Body) => [p.slug, p.order, p.is_active])).toEqual([
      ['citizen-id', 1, false],
      ['room-number', 2, false],
      ['sms', 3, false],
      ['username', 4, true],
      ['temp', 5, false],
      ['email', 5, false],
      ['voucher', 6, false],
    ]);
    expect(Object.keys(portal.messages.welcome_message_title)).toEqual([...portalLanguages]);
    expect(portal.style_options).toContainEqual({ key: 'primary_color', value: '#2f71f2' });
    expect((await api.get(`panel/portal/${portal.id}`, { token })).body.data).toEqual(portal);
    const unnamed = await api.post('panel/portal', { token, body: { name: ' ' }, language: 'tr' });
    expect(unnamed.status).toBe(422);
    expect(unnamed.body.errors).toEqual({ name: ['Bu alan zorunludur.'] });
  });

  test('keeps custom CSS as it was written, and names the line of a mistake', async () => {
    const token = await memberOf(location);
    const { id } = await make(token, 'Custom CSS');
    const put = (custom_css: unknown) =>
      api.put(`panel/portal/${id}`, { token, body: { styles: { custom_css } }, language: 'tr' });
    const source = '/* Afiş */\n.button { text-transform: uppercase }';
    expect((await put(source)).body.data.styles.custom_css).toBe(source);
    const refused = await put('.button { margin: 0 }\n.card { position: fixed }');
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { 'styles.custom_css': ['2. satır: position özelliği değiştirilemez.'] },
    ]);
    expect((await put('a'.repeat(4001))).status).toBe(422);
    const options = { style_options: [{ key: 'custom_css', value: 'body { margin: 0 }' }] };
    expect((await api.put(`panel/portal/${id}`, { token, body: options })).status).toBe(422);
    expect((await api.get(`panel/portal/${id}`, { token })).body.data.styles.custom_css).toBe(source);
    expect((await put('')).body.data.styles.custom_css).toBeNull();
  });

  test('has on what its location was given', async () => {
    const body = { name: 'Otel SMS', available_providers: ['sms', 'room-number'] };
    const place = (await api.post('panel/location', { token: admin, body })).body.data.id;
    const created = await api.post('panel/portal', { token: admin, body: { name: 'Lobi', location_id: place } });
    const on = (portal: Body) => portal.providers.filter((p: Body) => p.is_active).map((p: Body) => p.slug);
    expect(on(created.body.data)).toEqual(['room-number', 'sms']);
    expect(created.body.data.warnings).toEqual([]);
    // The first content may come with it.
    const content = { styles: { primary_color: '#112233' }, messages: { header_text: { en: 'Open 9-18' } } };
    const filled = await api.post('panel/portal', {
      token: admin,
      body: { name: 'B', location_id: place, ...content },
    });
    expect(filled.body.data).toMatchObject({ styles: content.styles, messages: { header_text: { en: 'Open 9-18' } } });
    expect(on(filled.body.data)).toEqual(['room-number', 'sms']);
    const history = await api.get(`panel/portal/${filled.body.data.id}/history`, { token: admin });
    expect(history.body.data).toHaveLength(1);
    const bad = { name: 'C', location_id: place, styles: { primary_color: 'red' } };
    const count = async () => (await api.get('panel/portal', { token: admin })).body.meta.total;
    const before = await count();
    expect((await api.post('panel/portal', { token: admin, body: bad })).status).toBe(422);
    expect(await count(), 'a refused form creates nothing').toBe(before);
  });

  test('warns when its guests cannot sign in', async () => {
    const place = (
      await api.post('panel/location', { token: admin, body: { name: 'Kafe SMS', available_providers: ['sms'] } })
    ).body.data.id;
    const { id } = (await api.post('panel/portal', { token: admin, body: { name: 'Lobi', location_id: place } })).body
      .data;
    const put = async (providers: object[] | null, at = '') => {
      const answer = await api.put(`panel/portal/${id}${at}`, { token: admin, body: { providers } });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.warnings;
    };
    expect(await put([{ slug: 'username', order: 1 }])).toEqual(['method_not_given']);
    expect(await put([])).toEqual(['no_method']);
    expect(await put([{ slug: 'sms', order: 1 }])).toEqual([]);
    expect(await put(null)).toEqual(['no_method']);
    expect(await put([{ slug: 'sms', order: 1, is_active: false }])).toEqual(['no_method']);
    expect((await api.get(`panel/portal/${id}`, { token: admin })).body.data.warnings).toEqual(['no_method']);
    expect((await api.get(`panel/portal/${id}`, { token: admin, language: 'tr' })).body.warnings).toEqual([
      'Misafirler giriş yapamaz: hiçbir giriş yöntemi açık değil.',
    ]);
    expect(await put([{ slug: 'sms', order: 1 }], '/draft')).toEqual([]);
    expect((await api.get(`panel/portal/${id}`, { token: admin })).body.data.warnings).toEqual(['no_method']);
    expect(await put([{ slug: 'sms', order: 1 }])).toEqual([]);
    const agree = async (kvkk: object) =>
      (await api.put(`panel/portal/${id}`, { token: admin, body: { agreements: { kvkk } } })).body.data.warnings;
    expect(await agree({ tr: '<p>Metin</p>' })).toEqual(['agreement_language']);
    expect(await agree({ en: 'a', de: 'b', ru: 'c', ar: 'd' })).toEqual([]);
    const registry = { slug: 'citizen-id', order: 1, options: { provider_type: 'nvi' } };
    await api.put(`panel/location/${place}`, { token: admin, body: { available_providers: ['citizen-id'] } });
    expect(await put([registry]), 'the registry has no address').toEqual(['no_method']);
  });

  test('becomes the portal of its location when that has none, and leaves it when it is deleted', async () => {
    const place = await newLocation('Otel');
    const token = await memberOf(place);
    const first = await make(token, 'First');
    await make(token, 'Second');
    const shown = async () => (await api.get(`panel/location/${place}`, { token: admin })).body.data.portal_id;
    expect(await shown()).toBe(first.id);
    expect((await api.delete(`panel/portal/${first.id}`, { token })).status).toBe(204);
    expect(await shown()).toBeNull();
    expect((await api.get(`panel/portal/${first.id}`, { token })).status).toBe(404);
  });

  test('keeps what is sent of it and leaves the rest', async () => {
    const { id } = await make(admin);
    const put = async (body: unknown) => {
      const answer = await api.put(`panel/portal/${id}`, { token: admin, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    };
    await put({ styles: { primary_color: '#FF0000', logo_scale: 75 }, color_scheme: 'dark' });
    await put({ style_options: [{ key: 'provider_layout', value: 'scroll' }] });
    await put({ messages: { welcome_message_title: { tr: 'Merhaba' } } });
    const portal = await put({ name: 'Renamed', agreements: { kvkk: { tr: '<p>Metin</p>' } } });
    expect(portal).toMatchObject({
      name: 'Renamed',
      color_scheme: 'dark',
      styles: { primary_color: '#ff0000', logo_scale: 75, provider_layout: 'scroll', color_scheme: 'dark' },
      messages: { welcome_message_title: { tr: 'Merhaba', en: 'Welcome' } },
      agreements: { kvkk: { tr: '<p>Metin</p>' }, general: {} },
    });
    const back = await put(portal);
    expect({ ...back, updated_at: '' }).toEqual({ ...portal, updated_at: '' });
    // Null clears the texts of all languages.
    const cleared = await put({ messages: { welcome_message_title: null }, agreements: { kvkk: null } });
    expect(cleared.messages.welcome_message_title).toMatchObject({ tr: 'Hoş geldiniz', en: 'Welcome' });
    expect(cleared.agreements.kvkk).toEqual({});
  });

  test('takes the general form as its own fields', async () => {
    const { id } = await make(admin);
    const uploaded = async (collection: string) =>
      (await api.post(`panel/portal/${id}/image`, { token: admin, body: upload(await picture(), collection) })).body
        .data.url;
    const [logo, background_image] = [await uploaded('logo'), await uploaded('background')];
    const look = { background_type: 'color_image', color_type: 'gradient', background_color: '#123456' };
    const form = { color_scheme: 'dark', ...look, logo, background_image };
    const { body } = await api.put(`panel/portal/${id}`, { token: admin, body: form });
    const styles = { ...look, color_scheme: 'dark', portal_logo: logo, background_image };
    expect(body.data.styles).toMatchObject(styles);
    for (const [bad, field] of [
      [{ background_type: 'video' }, 'background_type'],
      [{ background_color: 'dark gray' }, 'background_color'],
      [{ logo: `/uploads/${location}/logo-${location}.webp` }, 'logo'],
      [{ background_image: `/uploads/${location}/background-${location}.webp` }, 'background_image'],
    ] as const) {
      const answer = await api.put(`panel/portal/${id}`, { token: admin, body: bad });
      expect(answer.status, answer.text).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
    const cleared = await api.put(`panel/portal/${id}`, { token: admin, body: { logo: '' } });
    expect(cleared.body.data.styles).toMatchObject({ ...styles, portal_logo: null });
  });

  test('lists the sign-in methods as records, with a picture and a name in the language of the caller', async () => {
    const { body } = await api.get('panel/auth-provider', { token: admin, language: 'tr' });
    expect(body.data.map((it: Body) => it.slug)).toEqual([...providerSlugs]);
    expect(body.data[1]).toEqual({
      id: 'room-number',
      name: 'Oda numarası',
      slug: 'room-number',
      logo: '/sign-in-methods/room-number.svg',
      auth_type: 'hotel',
    });
    const pictures = readdirSync(new URL('../../../../panel/public/sign-in-methods', import.meta.url));
    expect(pictures.sort()).toEqual(body.data.map((it: Body) => `${it.slug}.svg`).sort());
  });

  test('settles the options of its sign-in methods', async () => {
    const { id } = await make(admin);
    const put = (providers: unknown) => api.put(`panel/portal/${id}`, { token: admin, body: { providers } });
    const answer = await put([
      {
        slug: 'username',
        order: 2,
        options: { require_security_code: true, security_code: 'CAFE', email_required: true },
      },
      { slug: 'sms', order: 1, options: { require_security_code: true, security_code: '' } },
      { slug: 'citizen-id', order: 3, options: { citizen_id_field: 'only_citizen_id', security_code: 'kept?' } },
    ]);
    expect(answer.status, answer.text).toBe(200);
    const { providers } = answer.body.data;
    const by = (slug: string) => providers.find((p: Body) => p.slug === slug);
    expect(providers).toHaveLength(7);
    expect(providers.filter((p: Body) => p.is_active).map((p: Body) => p.slug)).toEqual([
      'sms',
      'username',
      'citizen-id',
    ]);
    expect(by('username').options).toMatchObject({
      require_security_code: true,
      security_code: 'CAFE',
      email_required: false,
    });
    expect(by('sms').options).toMatchObject({ require_security_code: false, security_code: null });
    expect(by('citizen-id').options).toMatchObject({
      method: 'only_citizen_id',
      citizen_id_field: 'only_citizen_id',
      security_code: null,
    });
    // A client that changes one of the two names sends the other back as it was.
    const oneMethod = async (changed: object) => {
      const { body } = await put([{ ...by('citizen-id'), options: { ...by('citizen-id').options, ...changed } }]);
      const { method, citizen_id_field } = body.data.providers.find((p: Body) => p.slug === 'citizen-id').options;
      await put([by('citizen-id')]);
      return [method, citizen_id_field];
    };
    expect(await oneMethod({ method: 'both' })).toEqual(['both', 'both']);
    expect(await oneMethod({ citizen_id_field: 'both' })).toEqual(['both', 'both']);
    const twice = await put([
      { slug: 'sms', order: 1 },
      { slug: 'sms', order: 2 },
    ]);
    expect(twice.status).toBe(422);
    const stranger = await put([
      { slug: 'temp', order: 1, options: { profile_id: '00000000-0000-4000-8000-000000000000' } },
    ]);
    expect(stranger.body.errors).toEqual({ 'providers.0.options.profile_id': ['This does not exist.'] });
  });

  test('refuses bad input by field and changes nothing', async () => {
    const { id } = await make(admin);
    for (const [body, field] of [
      [{ name: '' }, 'name'],
      [{ styles: { primary_color: 'red' } }, 'styles.primary_color'],
      [{ styles: { primary_color: '#2f71f2;background:url(//evil)' } }, 'styles.primary_color'],
      [{ styles: { logo_scale: 51 } }, 'styles.logo_scale'],
      [{ styles: { welcome_font_size: 41 } }, 'styles.welcome_font_size'],
      [{ styles: { background_type: 'video' } }, 'styles.background_type'],
      [{ styles: { portal_logo: 'https://evil.example/a.png' } }, 'styles.portal_logo'],
      [{ styles: { portal_logo: `/uploads/${location}/logo-${location}.webp` } }, 'styles.portal_logo'],
      [{ style_options: [{ key: 'logo_scale', value: 'big' }] }, 'style_options.0.value'],
      [{ style_options: [{ key: 'constructor', value: 1 }] }, 'style_options.0.key'],
      [{ providers: [{ slug: 'fax', order: 1 }] }, 'providers.0.slug'],
      [{ styles: { layout: 'grid' } }, 'styles.layout'],
      [{ styles: { title_font: 'comic' } }, 'styles.title_font'],
      [{ styles: { text_font: 'playfair' } }, 'styles.text_font'],
      [{ styles: { corner_radius: 3 } }, 'styles.corner_radius'],
      [{ styles: { button_shape: '</style>' } }, 'styles.button_shape'],
      [{ styles: { background_art: 'beach' } }, 'styles.background_art'],
      [{ styles: { background_focus_x: 101 } }, 'styles.background_focus_x'],
      [{ styles: { dark_mode: 'on' } }, 'styles.dark_mode'],
      [{ styles: { theme_color: 'url(x)' } }, 'styles.theme_color'],
      [{ styles: { dark_logo: `/uploads/${location}/logo-${location}.webp` } }, 'styles.dark_logo'],
      [{ styles: { favicon: 'https://evil.example/a.ico' } }, 'styles.favicon'],
      [{ page: { links: [{ kind: 'fax', url: 'https://example.com' }] } }, 'page.links.0.kind'],
      [{ page: { links: [{ kind: 'website', url: 'javascript:alert(1)' }] } }, 'page.links.0.url'],
      [{ page: { links: [{ kind: 'website', url: '' }] } }, 'page.links.0.url'],
      [{ page: { links: 'x' } }, 'page.links'],
      [{ messages: { nonsense: { tr: 'x' } } }, 'messages.nonsense'],
      [{ messages: { buy: { xx: 'x' } } }, 'messages.buy.xx'],
      [{ agreements: { gdpr: { tr: 'x' } } }, 'agreements.gdpr'],
      [{ agreements: { kvkk: { xx: 'x' } } }, 'agreements.kvkk.xx'],
      [
        { providers: [{ slug: 'sms', order: 1, options: { require_security_code: true, security_code: 1e30 } }] },
        'providers.0.options.security_code',
      ],
      [{ messages: { buy: { tr: 'x'.repeat(20_001) } } }, 'messages.buy.tr'],
    ] as const) {
      const answer = await api.put(`panel/portal/${id}`, { token: admin, body });
      expect(answer.status, JSON.stringify(body).slice(0, 200)).toBe(422);
      expect(Object.keys(answer.body.errors), answer.text).toEqual([field]);
    }
    expect((await api.get(`panel/portal/${id}`, { token: admin })).body.data.styles.primary_color).toBe('#2f71f2');
    const options = [
      { key: 'logo_scale', value: 50 },
      { key: 'logo_scale', value: 52 },
    ];
    const odd = await api.put(`panel/portal/${id}`, { token: admin, language: 'tr', body: { style_options: options } });
    expect(odd.body.errors).toEqual({ 'style_options.1.value': ['5 sayısının katı olmalı.'] });
  });

  test('keeps further styles, links and texts, also in a draft and across a restore', async () => {
    const { id } = await make(admin);
    const old = await api.get(`panel/portal/${id}`, { token: admin });
    expect(old.body.data).toMatchObject({ styles: { layout: 'card', title_font: 'system' }, page: { links: [] } });
    const links = [{ kind: 'instagram', url: 'https://www.instagram.com/cinar' }];
    const body = {
      styles: { layout: 'split', corner_radius: '8' },
      page: { links },
      messages: { subtitle: { en: 'Hi' } },
    };
    const put = await api.put(`panel/portal/${id}`, { token: admin, body });
    expect(put.status, put.text).toBe(200);
    expect(put.body.data).toMatchObject({
      styles: { layout: 'split', corner_radius: 8 },
      page: { links },
      messages: { subtitle: { en: 'Hi', tr: '' } },
      updated_by: { full_name: expect.any(String) },
    });
    const draft = await api.put(`panel/portal/${id}/draft`, { token: admin, body: { page: { links: [] } } });
    expect(draft.body.data).toMatchObject({ has_draft: true, page: { links: [] } });
    expect((await api.get(`panel/portal/${id}`, { token: admin })).body.data.page).toMatchObject({
      links,
      sign_in_blocks: [],
      connected_blocks: [],
    });
    const history = await api.get(`panel/portal/${id}/history`, { token: admin });
    expect(history.body.data[0].changes).toEqual(['styles', 'messages', 'page']);
    const [, first] = history.body.data;
    const shown = await api.get(`panel/portal/${id}/history/${first.id}`, { token: admin });
    expect(shown.body.data).toMatchObject({ id, styles: { layout: 'card' }, page: { links: [] } });
    const other = await make(admin);
    expect((await api.get(`panel/portal/${other.id}/history/${first.id}`, { token: admin })).status).toBe(404);
    const back = await api.post(`panel/portal/${id}/history/${first.id}/restore`, { token: admin });
    expect(back.body.data).toMatchObject({ styles: { layout: 'card' }, page: { links: [] } });
  });

  test('refuses a save of who has not seen the last change', async () => {
    const { id } = await make(admin);
    const seen_at = (await api.get(`panel/portal/${id}`, { token: admin })).body.data.updated_at;
    const save = (path: string, subtitle: string, seenAt?: string) =>
      api.put(path, {
        token: admin,
        body: { messages: { subtitle: { en: subtitle } }, ...(seenAt && { seen_at: seenAt }) },
      });
    const subtitle = async () => (await api.get(`panel/portal/${id}`, { token: admin })).body.data.messages.subtitle.en;
    const first = await save(`panel/portal/${id}`, 'Mine', seen_at);
    expect(first.status, first.text).toBe(200);
    for (const path of [`panel/portal/${id}`, `panel/portal/${id}/draft`]) {
      const late = await save(path, 'Late', seen_at);
      expect([late.status, late.body.code]).toEqual([409, 'portal_changed']);
    }
    expect(await subtitle()).toBe('Mine');
    expect((await api.get(`panel/portal/${id}/draft`, { token: admin })).body.data.has_draft).toBe(false);
    expect((await save(`panel/portal/${id}`, 'Seen', first.body.data.updated_at)).status).toBe(200);
    // Callers that do not know the check save as before.
    expect((await save(`panel/portal/${id}`, 'Plain')).status).toBe(200);
    expect(await subtitle()).toBe('Plain');
  });

  test('keeps nothing in its texts that could harm a guest', async () => {
    const { id } = await make(admin);
    const own = (await api.post('panel/portal/image', { token: admin, body: upload(await picture(), 'content') })).body
      .data.url;
    const dirty = `<p onclick="x()" style="text-align:center;position:fixed">Hi<script>alert(1)</script></p>
      <a href="javascript:alert(1)">a</a><a href="https://example.com" target="_blank">b</a>
      <img src="${own}" onerror="x()"><img src="https://evil.example/spy.png"><iframe src="https://evil.example"></iframe>
      <svg><a xlink:href="javascript:x">c</a></svg><form action="//evil"><input name=password></form>`;
    const answer = await api.put(`panel/portal/${id}`, {
      token: admin,
      body: {
        agreements: { general: { en: dirty } },
        messages: { paid_information: { en: dirty }, buy: { en: '<b>Buy</b>' } },
      },
    });
    expect(answer.status, answer.text).toBe(200);
    for (const html of [answer.body.data.agreements.general.en, answer.body.data.messages.paid_information.en]) {
      expect(html).not.toMatch(/script|onclick|onerror|javascript|evil|iframe|svg|form|input|position/i);
      expect(html).toContain('style="text-align:center"');
      expect(html).toContain(`src="${own}"`);
      expect(html).toContain('rel="noopener noreferrer nofollow"');
    }
    // Plain texts stay as typed: what shows them escapes them.
    expect(answer.body.data.messages.buy.en).toBe('<b>Buy</b>');
  });
});

describe('pictures', () => {
  test('are drawn again, and the answer has their address', async () => {
    const big = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer();
    const answer = await api.post('panel/portal/image', { token: admin, body: upload(big, 'logo', '../../evil.svg') });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toMatchObject({ collection: 'logo', width: 864, height: 432 });
    // The first view is to take 14 KB, with the page itself.
    expect(answer.body.data.bytes).toBeLessThanOrEqual(5_400);
    expect(answer.body.data.url).toMatch(/^http:\/\/localhost:8081\/uploads\/[0-9a-f-]{36}\/logo-[0-9a-f-]{36}\.webp$/);
    const { id } = await make(admin);
    const put = await api.put(`panel/portal/${id}`, {
      token: admin,
      body: { styles: { portal_logo: answer.body.data.url } },
    });
    expect(put.body.data.styles.portal_logo).toBe(answer.body.data.url);
  });

  test('an SVG is drawn too, unless it contains more than a drawing', async () => {
    const svg = (inside: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">${inside}</svg>`;
    const good = await api.post('panel/portal/image', {
      token: admin,
      body: upload(svg('<rect width="40" height="20" fill="red"/>')),
    });
    expect(good.status, good.text).toBe(201);
    const named = new FormData();
    named.append('collection', 'logo');
    named.append('image', new Blob([svg('<rect width="40" height="20"/>')]), 'logo.svg');
    const elsewhere = await api.post('panel/portal/image', { token: admin, body: named });
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([422, { image: ['Send the file in the field “file”.'] }]);
    const kind = await api.post('panel/portal/image', { token: admin, body: upload(svg('<script>x</script>')) });
    expect(kind.body.errors.file[0]).toContain('contains scripts');
    for (const inside of [
      '<script>alert(1)</script>',
      '<image xlink:href="file:///etc/passwd"/>',
      '<rect onload="x()" width="1" height="1"/>',
      '<foreignObject><iframe/></foreignObject>',
      '<style>@import url(http://evil.example)</style>',
    ]) {
      const bad = await api.post('panel/portal/image', { token: admin, body: upload(svg(inside)) });
      expect(bad.status, inside).toBe(422);
      expect(Object.keys(bad.body.errors)).toEqual(['file']);
    }
    // A search over long distances would take minutes in these files.
    for (const again of ['<!DOCTYPE', '<use ']) {
      const heavy = await api.post('panel/portal/image', { token: admin, body: upload(svg(again.repeat(45_000))) });
      expect(heavy.status, again).toBe(422);
    }
    const bomb = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('&a;')}`;
    expect((await api.post('panel/portal/image', { token: admin, body: upload(bomb) })).status).toBe(422);
  });

  test('a picture that the machine has no time for is not refused for good', async () => {
    const { ms } = patience;
    patience.ms = 1;
    onTestFinished(() => void (patience.ms = ms));
    const post = (language: string) =>
      api.post('panel/portal/image', {
        token: admin,
        body: upload('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>'),
        headers: { 'accept-language': language },
      });
    for (const [language, says] of [
      ['en', 'The server is busy'],
      ['tr', 'Sunucu şu an yoğun'],
    ] as const) {
      const answer = await post(language);
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'pictures_busy',
        '30',
      ]);
      expect(answer.body.message).toContain(says);
    }
    patience.ms = ms;
    expect((await post('en')).status).toBe(201);
  });

  test('refuses other files and large pictures', async () => {
    const post = (body: FormData) => api.post('panel/portal/image', { token: admin, body });
    expect((await post(upload('<html><script>x</script></html>'))).status).toBe(422);
    expect((await post(upload(Buffer.from('GIF89a...')))).status).toBe(422);
    expect((await post(upload((await picture()).subarray(0, 60)))).status).toBe(422);
    expect((await post(upload(await picture(), 'passport'))).body.errors.collection).toBeDefined();
    const large = await api.post('panel/portal/image', {
      token: admin,
      body: upload(Buffer.alloc(2_000_001)),
      language: 'tr',
    });
    expect([large.status, large.body]).toEqual([
      413,
      {
        code: 'too_large',
        message: 'Gönderilen veri çok büyük.',
        errors: { file: ['Dosya 2 MB boyutunu aşamaz.'] },
      },
    ]);
    const heavy = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(heavy.length).toBeGreaterThan(500_000);
    expect((await post(upload(heavy, 'content'))).body.errors.file).toEqual(['The file must not exceed 500 KB.']);
    const none = new FormData();
    none.set('collection', 'logo');
    expect((await post(none)).body.errors.file).toBeDefined();
    expect((await api.post('panel/portal/image', { token: admin, body: {} })).status).toBe(415);
  });
});
