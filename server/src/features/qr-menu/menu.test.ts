import sharp from 'sharp';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPages, startCaptive } from '#features/guests/testing/captive.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';
import { jobs, runJob } from '../../services/jobs.ts';

let api: TestApi;
let captive: Awaited<ReturnType<typeof startCaptive>>;
let token: string;
let location: string;
let desk: Body;
beforeAll(async () => {
  api = await startApi({ CAPTIVE_URL: 'http://guests.example' });
  captive = await startCaptive(api, await buildPages());
  const admin = await api.user('tenant-admin');
  location = await api.location(admin.token, 'Kafe <Çınar>');
  token = (await api.user('member', { location })).token;
  desk = await make('desk', { title: 'Teras', prefix: 'T', number_start: 3, number_end: 12 });
}, 120_000);

const make = async (kind: string, body: object): Promise<Body> => {
  const answer = await api.post(`panel/qrmenu/${kind}`, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const pathOf = (url: string) => new URL(url).pathname;
const menu = (query = '', number: number | string = 5, headers: Record<string, string> = { 'accept-language': 'tr' }) =>
  captive.get(`${pathOf(desk.menu_url)}/${number}${query}`, headers);
const scans = async () =>
  Object.fromEntries(
    (await api.get(`panel/qrmenu/desk/${desk.id}/codes`, { token })).body.data.map((it: Body) => [it.name, it.scans]),
  );

describe('the public menu', () => {
  test('is not there for hidden desks', async () => {
    const put = (status: unknown) => api.put(`panel/qrmenu/desk/${desk.id}`, { token, body: { status } });
    expect(desk.status, 'new desks are shown').toBe(1);
    expect((await put(0)).body.data).toMatchObject({ status: 0, title: 'Teras' });
    expect((await menu()).status).toBe(404);
    expect((await put(2)).body.errors).toHaveProperty('status');
    expect((await put(1)).body.data.status).toBe(1);
    expect((await menu()).status).toBe(200);
  });

  test('shows visible products, by category and in order, in Turkish and English', async () => {
    const [later, first, hidden] = [
      await make('category', { title: 'Tatlılar', title_en: 'Desserts' }),
      await make('category', { title: 'İçecekler', title_en: 'Drinks', description: 'Taze demlenir' }),
      await make('category', { title: 'Gizli bölüm', status: 0 }),
    ];
    await make('category', { title: 'Boş bölüm' });
    await make('product', {
      title: 'Çay <b>',
      title_en: 'Tea',
      description: 'İnce belli bardakta',
      ingredients: ['çay'],
      ingredients_en: ['tea leaves'],
      allergens: ['yok'],
      product_time: 5,
      calorie: 2,
      price: 20.5,
      category_ids: [first.id],
    });
    await make('product', { title: 'Baklava', price: 150, category_ids: [later.id, first.id] });
    await make('product', { title: 'Görünmez', status: 0, category_ids: [first.id] });
    await make('product', { title: 'Saklı', category_ids: [hidden.id] });
    await make('product', { title: 'Su', price: 3.5, currency: 'eur' });
    const order = await api.put('panel/qrmenu/category/order', { token, body: { ids: [first.id, later.id] } });
    expect(order.status, order.text).toBe(204);

    const { status, html, headers } = await menu();
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('<html lang="tr"');
    expect(html).toContain('Kafe &lt;Çınar&gt;');
    expect(html).toContain('Masa T5');
    expect([...html.matchAll(/<h2[^>]*>([^<]*)</g)].map(it => it[1])).toEqual(['İçecekler', 'Tatlılar', 'Diğer']);
    for (const text of [
      'Çay &lt;b&gt;',
      '₺20,50',
      '₺150',
      '€3,50',
      '5 dk',
      '2 kcal',
      'Alerjenler',
      'yok',
      'Taze demlenir',
      'Su',
    ])
      expect(html).toContain(text);
    expect(html.match(/<h3>Baklava/g)).toHaveLength(2);
    for (const text of ['Görünmez', 'Saklı', 'Gizli bölüm', 'Boş bölüm', '<b>Çay', 'Tea'])
      expect(html).not.toContain(text);

    const english = (await menu('?lang=en')).html;
    for (const text of ['<html lang="en"', 'Table T5', 'Drinks', 'Tea', 'tea leaves', '5 min', 'Baklava'])
      expect(english).toContain(text);
    // Guests with another language get English.
    expect((await menu('', 5, { 'accept-language': 'de' })).html).toContain('<html lang="en"');
  });

  test('has the colour and the icon of the venue’s portal', async () => {
    const admin = (await api.user('tenant-admin')).token;
    const plain = (await menu()).html;
    expect(plain).not.toContain('<header><img');
    const place = await api.get(`panel/location/${location}`, { token: admin });
    const body = fileForm(await picture(), { collection: 'icon' });
    const { url } = (await api.post('panel/portal/image', { token: admin, body })).body.data;
    const styles = { primary_color: '#a01818', favicon: url };
    const made = await api.post('panel/portal', {
      token: admin,
      body: { name: 'Çınar', location_id: location, styles },
    });
    expect(made.status, made.text).toBe(201);
    const chosen = await api.put(`panel/location/${location}`, {
      token: admin,
      body: { portal_id: made.body.data.id },
    });
    expect(chosen.status, chosen.text).toBe(200);
    const { html } = await menu();
    expect(html).toContain(`<header><img src="${pathOf(url)}" alt="" width="60" height="15"/>`);
    expect(html).toContain('--brand:#a01818');
    const portal_id = place.body.data.portal_id ?? null;
    await api.put(`panel/location/${location}`, { token: admin, body: { portal_id } });
  });

  test('is searched without script, and dark where the guest prefers it', async () => {
    await make('product', { title: 'Künefe', price: 150 });
    await make('product', { title: 'Ayran', price: 20 });
    const closed = await make('category', { title: 'Kapalı', status: 0 });
    await make('product', { title: 'Saklı', category_ids: [closed.id] });
    const found = (await menu(`?q=${encodeURIComponent('KÜNEFE')}`)).html;
    expect(found).toContain('Künefe');
    expect(found).not.toContain('Ayran');
    const hidden = (await menu(`?q=${encodeURIComponent('SAKLI')}`)).html;
    expect(hidden).toContain('Aradığınıza uyan bir şey yok.');
    expect(hidden).not.toContain('<h3>Saklı');
    expect((await menu('?q=%25')).html).toContain('Aradığınıza uyan bir şey yok.');
    expect((await menu('?q=a%00b')).status).toBe(200);
    expect((await menu()).html).toContain('@media(prefers-color-scheme:dark){:root{');
    const dark = await menu('?look=dark');
    expect(dark.html).toContain('>:root{color-scheme:dark');
    const kept = dark.headers.get('set-cookie')!.split(';')[0]!;
    expect((await menu('', 5, { cookie: kept })).html).toContain(':root{color-scheme:dark');
  });

  test('is a 404 for unknown codes and desks', async () => {
    for (const number of ['2', '13', '0', '05', 'x', '99999999999', '5/6'])
      expect((await menu('', number)).status, number).toBe(404);
    for (const code of ['abcdefghjkmn', 'x', "a'b", '%00', encodeURIComponent('../..')])
      expect((await captive.get(`/m/${code}/5`)).status, code).toBe(404);
    expect((await captive.get(pathOf(desk.menu_url))).status).toBe(200);
  });

  test('counts each scan at its desk, and nothing else', async () => {
    const before = await scans();
    await menu('', 7);
    await menu('', 7);
    await menu('', 8);
    await menu('?q=su', 7);
    await menu('?c=', 7);
    await menu('', 7, { 'sec-purpose': 'prefetch' });
    await captive.ask(pathOf(desk.menu_url) + '/7', { method: 'HEAD' });
    await captive.get(pathOf(desk.menu_url));
    const after = await scans();
    expect([after.T7 - before.T7, after.T8 - before.T8, after.T9 - before.T9]).toEqual([2, 1, 0]);
    const total = Object.values<number>(after).reduce((sum, it) => sum + it, 0);
    expect((await api.get(`panel/qrmenu/desk/${desk.id}`, { token })).body.data.scans).toBe(total);
  });

  test('keeps its scans for 400 days', async () => {
    await menu('', 11);
    await menu('', 12);
    const age = (number: number, days: number) =>
      api.app.db.pool.query('update menu_scans set day = current_date - $1::int where number = $2', [days, number]);
    await age(11, 400);
    await age(12, 401);
    await runJob(api.app, jobs.find(it => it.name === 'delete old scans of menus')!);
    const left = await api.app.db.pool.query('select number from menu_scans where number in (11, 12)');
    expect(left.rows).toEqual([{ number: 11 }]);
  });

  test('of hundreds of products shows one category at a time, in a first view of at most 30 KB', async () => {
    const admin = await api.user('tenant-admin');
    const large = await api.location(admin.token, 'Büyük');
    const asAdmin = async (kind: string, body: object) =>
      (await api.post(`panel/qrmenu/${kind}`, { token: admin.token, body: { location_id: large, ...body } })).body.data;
    const categories = [await asAdmin('category', { title: 'Bir' }), await asAdmin('category', { title: 'İki' })];
    await api.inTenant(tx =>
      tx.run(sql`
      with made as (insert into menu_products (tenant_id, id, location_id, title, description, position, price)
        select l.tenant_id, gen_random_uuid(), l.id, 'Ürün ' || n, 'Açıklama ' || md5(n::text), n, n
        from locations l, generate_series(1, 160) n where l.id = ${large} returning tenant_id, id, position)
      insert into menu_product_categories (tenant_id, product_id, category_id)
      select tenant_id, id, case when position % 2 = 0 then ${categories[0].id}::uuid else ${categories[1].id}::uuid end from made`),
    );
    const at = pathOf((await asAdmin('desk', { title: 'Salon' })).menu_url);
    const page = async (query: string) => {
      const response = await fetch(`${captive.url}${at}/1${query}`, { headers: { 'accept-encoding': 'gzip' } });
      const html = await response.text();
      return { html, products: html.match(/<h3>/g)?.length ?? 0 };
    };
    const first = await page('');
    expect(first.products).toBe(80);
    expect(first.html).toMatch(new RegExp(`href="[^"]*\\?c=${categories[1].id}"`));
    expect(first.html).not.toContain('data-live');
    expect((await page(`?c=${categories[1].id}`)).html).toContain('<h3>Ürün 159</h3>');
    expect((await page(`?q=${encodeURIComponent('Ürün 159')}`)).products).toBe(1);
    const { gzipSync } = await import('node:zlib');
    expect(gzipSync(first.html, { level: 3 }).length).toBeLessThan(30_000);
  });
});

describe('pictures of products', () => {
  test('are re-encoded in two sizes, shown, and removed', async () => {
    const cake = await make('product', { title: 'Pasta' });
    const answer = await api.post(`panel/qrmenu/product/${cake.id}/image`, {
      token,
      body: fileForm(await picture(900, 700)),
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.image).toMatch(
      /^http:\/\/guests\.example\/uploads\/[0-9a-f-]{36}\/menu-[0-9a-f-]{36}\.webp$/,
    );
    const { html } = await menu('?q=Pasta');
    const small = /<img src="([^"]+)"/.exec(html)![1]!;
    const response = await fetch(captive.url + small);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({ width: 320 });
    expect((await fetch(captive.url + pathOf(answer.body.data.image))).status).toBe(200);
    // A change of the product keeps its picture.
    const changed = await api.put(`panel/qrmenu/product/${cake.id}`, { token, body: { title: 'Yaş pasta' } });
    expect(changed.body.data.image).toBe(answer.body.data.image);
    expect((await api.delete(`panel/qrmenu/product/${cake.id}/image`, { token })).status).toBe(204);
    expect((await menu('?q=pasta')).html).not.toContain('<img');
  });

  test('are within their budgets, also noise', async () => {
    const cake = await make('product', { title: 'Gürültü' });
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const photo = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#888', noise } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const { body } = await api.post(`panel/qrmenu/product/${cake.id}/image`, { token, body: fileForm(photo) });
    const large = pathOf(body.data.image);
    for (const [at, most] of [
      [large, 120_000],
      [large.replace('/menu-', '/menusmall-'), 16_000],
    ] as const) {
      const { byteLength } = await (await fetch(captive.url + at)).arrayBuffer();
      expect(byteLength).toBeLessThanOrEqual(most);
      expect(byteLength).toBeGreaterThan(1000);
    }
  });

  test('that are not images are refused by field, and change nothing', async () => {
    const cake = await make('product', { title: 'Kek' });
    const send = (body: unknown, as = token) => api.post(`panel/qrmenu/product/${cake.id}/image`, { token: as, body });
    const junk = await send(fileForm(Buffer.from('GIF89a, not really')));
    expect([junk.status, Object.keys(junk.body.errors)]).toEqual([422, ['file']]);
    const large = await send(fileForm(Buffer.alloc(5 * 1024 * 1024 + 1)));
    expect([large.status, large.body.errors]).toEqual([413, { file: ['The file must not exceed 5 MB.'] }]);
    expect((await send({ image: 'http://evil.example/a.png' })).status).toBe(415);
    const other = await api.user('member', {
      location: (
        await api.post('panel/location', { token: (await api.user('tenant-admin')).token, body: { name: 'X' } })
      ).body.data.id,
    });
    expect((await send(fileForm(await picture(900, 700)), other.token)).status).toBe(404);
    expect((await api.get(`panel/qrmenu/product/${cake.id}`, { token })).body.data.image).toBeNull();
  });
});

describe('sheets of codes', () => {
  const sheet = (query: string) =>
    fetch(`${api.url}/v1/panel/qrmenu/desk/${desk.id}/sheet?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });

  test('as PDF contain every desk, on as many A4 pages as the size needs', async () => {
    const pages = async (size: string) => {
      const response = await sheet(`format=pdf&size=${size}`);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
      expect(pdf).toMatch(/^%PDF-/);
      expect(pdf.trimEnd()).toMatch(/%%EOF$/);
      return pdf.match(/\/Type \/Page\b(?!s)/g)!.length;
    };
    expect([await pages('small'), await pages('medium'), await pages('large')]).toEqual([1, 2, 3]);
  });

  test('as SVG are one page, with codes that lead to the menu', async () => {
    const svg = await (await sheet('format=svg&size=large&page=3')).text();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="210mm"/);
    expect([...svg.matchAll(/font-weight="700">([^<]*)</g)].map(it => it[1])).toEqual(['T11', 'T12']);
    const one = await (await sheet('format=svg&number=7')).text();
    expect(one.match(/<path /g)).toHaveLength(1);
    const image = await sharp(Buffer.from(one), { density: 100 }).png().toBuffer();
    expect(await readCode(image)).toBe(`${desk.menu_url}/7`);
  });

  test('are refused by field for unknown desks and pages', async () => {
    for (const [query, field] of [
      ['format=doc', 'format'],
      ['size=huge', 'size'],
      ['number=2', 'number'],
      ['format=svg&page=9', 'page'],
    ] as const) {
      const response = await sheet(query);
      expect([response.status, Object.keys(((await response.json()) as Body).errors)]).toEqual([422, [field]]);
    }
  });
});

describe('the order of the menu', () => {
  test('puts new items last and follows the sent order', async () => {
    const place = async () =>
      (await api.get('panel/qrmenu/product?per_page=100', { token })).body.data.map((it: Body) => it.title);
    await make('product', { title: 'En yeni' });
    const all = (await api.get('panel/qrmenu/product?per_page=100', { token })).body.data;
    expect((await place()).at(-1)).toBe('En yeni');
    const ids = all.map((it: Body) => it.id).reverse();
    expect((await api.put('panel/qrmenu/product/order', { token, body: { ids } })).status).toBe(204);
    expect((await place())[0]).toBe('En yeni');
  });

  test('refuses items of another location', async () => {
    const ids = ['0193d1a0-0000-7000-8000-000000000001'];
    const answer = await api.put('panel/qrmenu/category/order', { token, body: { ids } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['ids']]);
    expect((await api.put('panel/qrmenu/category/order', { token, body: { ids: [] } })).status).toBe(422);
  });
});

/** Decodes the QR code of a picture, as a phone does. */
async function readCode(image: Buffer): Promise<string | undefined> {
  // The package's types do not describe its module format.
  const { default: jsQR } = (await import('jsqr')) as unknown as {
    default: (data: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
  };
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
