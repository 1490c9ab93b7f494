import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';
import { mp4 } from '#test/videos.ts';
import { pictureJobs } from './pictures.jobs.ts';

let api: TestApi;
let admin: string;
let folder: string;
const erase = () => pictureJobs[0]!.run(api.app);
const ask = async (method: 'post' | 'put', at: string, body: unknown): Promise<Body> => {
  const answer = await api[method](at, { token: admin, body });
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.body.data;
};
/** For a dozen pictures. Each is drawn by a process of its own, of a low priority, which takes seconds on a busy machine. */
const limitMs = 180_000;
/** A picture that compresses badly: about 60 KB after re-encoding. */
const noise = () =>
  sharp({
    create: {
      width: 320,
      height: 320,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
const uploaded = async (collection = 'content'): Promise<string> =>
  (await ask('post', 'panel/portal/image', fileForm(await picture(30, 20), { collection }))).url;
const stored = async (): Promise<Set<string>> => {
  const rows = await api.inTenant(tx =>
    tx.many<{ file: string }>(sql`select file from pictures where length(content) = bytes`),
  );
  return new Set(rows.map(row => row.file));
};
const isKept = async (url: string) => (await stored()).has(path.basename(url));
/** Makes unused pictures look unused for some more days. */
const pass = (days: number) =>
  api.inTenant(tx => tx.run(sql`update pictures set unused_since = unused_since - make_interval(days => ${days})`));

/** Every column that contains the path of an upload, except the audit log, which shows no pictures. */
const columnsWithUploads = () =>
  api.app.db.withSystem(async tx => {
    const columns = await tx.many<{ table: string; column: string }>(sql`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'audit_log'
        and c.data_type in ('text', 'jsonb', 'ARRAY') order by 1, 2`);
    const naming: string[] = [];
    for (const { table, column } of columns)
      if (await tx.maybe(sql`select 1 from ${raw(`"${table}" where "${column}"::text like '%/uploads/%'`)} limit 1`))
        naming.push(`${table}.${column}`);
    return naming;
  });

beforeAll(async () => {
  api = await startApi({ PICTURES_MB: '10' });
  admin = (await api.user('tenant-admin')).token;
  folder = path.join(api.app.settings.DATA_DIR, 'uploads', await api.tenantId('panel'));
});

describe('logos', () => {
  test('a logo of few colours stays sharp, and one with a gradient keeps it', async () => {
    const letters =
      'M20 150V50l40 60 40-60v100M180 50a50 50 0 1 0 .1 0M260 50l30 100 30-100M350 50v100M380 50l40 50-40 50';
    const logo = (fill: string, more = '') =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 200" width="880" height="400">${more}<rect width="440" height="200" rx="60" fill="${fill}"/><circle cx="330" cy="60" r="40" fill="#e9b872"/><path d="${letters}" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round"/></svg>`;
    const blend =
      '<linearGradient id="g"><stop stop-color="#f03"/><stop offset="1" stop-color="#08f"/></linearGradient>';
    const drawn = async (svg: string) => {
      const { url, width, bytes } = await ask('post', 'panel/portal/image', fileForm(svg, { collection: 'logo' }));
      expect(bytes).toBeLessThanOrEqual(5_400);
      const file = path.basename(url);
      const { content } = await api.inTenant(tx =>
        tx.one<{ content: Buffer }>(sql`select content from pictures where file = ${file}`),
      );
      const data = await sharp(content).ensureAlpha().raw().toBuffer();
      const colours = new Set(Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32LE(at * 4)));
      return { width, colours: colours.size };
    };
    const plain = await drawn(logo('#14506b'));
    expect(plain.width).toBeGreaterThan(600);
    expect(plain.colours).toBeLessThanOrEqual(64);
    expect((await drawn(logo('url(#g)', blend))).colours).toBeGreaterThan(200);
  });
});

describe('files that are not drawn', () => {
  test('are refused with their reason, in the language of the caller', async () => {
    const large = '<svg xmlns="http://www.w3.org/2000/svg" width="8000" height="6000"></svg>';
    const whole = await noise();
    const refused: [string, Uint8Array | string, 'en' | 'tr', RegExp][] = [
      ['48 megapixels', large, 'tr', /40 megapikselden büyük/],
      ['half a file', whole.subarray(0, whole.length / 2), 'en', /damaged or incomplete/],
      ['a page', '<html><script>x</script></html>', 'en', /^Upload a PNG, JPEG, WebP or SVG/],
    ];
    const before = (await stored()).size;
    for (const [name, file, language, words] of refused) {
      const body = fileForm(file, { collection: 'background' });
      const answer = await api.post('panel/portal/image', { token: admin, language, body });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], name).toEqual([422, ['file']]);
      expect(answer.body.errors.file[0], name).toMatch(words);
    }
    expect((await stored()).size).toBe(before);
  });
});

describe('unused pictures', () => {
  test('are deleted after a week', async () => {
    const url = await uploaded();
    await erase();
    await pass(6);
    await erase();
    expect(await isKept(url)).toBe(true);
    await pass(2);
    await erase();
    expect(await isKept(url)).toBe(false);
  });

  test(
    'are not deleted while any record uses them',
    async () => {
      const place: string = (await ask('post', 'panel/location', { name: 'Kafe' })).id;
      const portal: string = (await ask('post', 'panel/portal', { name: 'Lobi' })).id;
      const at = `panel/portal/${portal}`;
      const img = (url: string) => `<p><img src="${url}" alt="x"></p>`;
      const shown: Record<string, string> = {};
      for (const name of [
        'logo',
        'background',
        'message',
        'agreement',
        'draft',
        'ad',
        'brand',
        'landing',
        'bottom',
        'past',
      ])
        shown[name] = await uploaded();
      // An old version of a portal may be restored.
      await ask('put', at, { styles: { portal_logo: shown['past'] } });
      await ask('put', at, {
        styles: { portal_logo: shown['logo'], background_image: shown['background'] },
        messages: { sms_info: { tr: img(shown['message']!) } },
        agreements: { kvkk: { ar: img(shown['agreement']!) } },
      });
      await ask('put', `${at}/draft`, { styles: { background_image: shown['draft'] } });
      await ask('post', `${at}/ads`, { name: 'A', type: 'image', images: [shown['ad']] });
      shown['video'] = (await ask('post', `${at}/video`, fileForm(mp4({})))).url;
      await ask('post', `${at}/ads`, { name: 'B', type: 'video', images: [shown['ad']], video: shown['video'] });
      await ask('post', 'panel/tenant', {
        brand_name: 'B',
        brand_long_name: 'B',
        landing_logo: shown['brand'],
        landing_background_image: shown['landing'],
        landing_bottom_image: shown['bottom'],
      });
      const cake = await ask('post', 'panel/qrmenu/product', { title: 'Pasta', price: 1, location_id: place });
      const menu: string = (await ask('post', `panel/qrmenu/product/${cake.id}/image`, fileForm(await picture(30, 20))))
        .image;
      shown['menu'] = menu;
      shown['menu, small'] = menu.replace('/menu-', '/menusmall-');
      // A column that the view `used_pictures` does not read would lose its pictures.
      expect(await columnsWithUploads()).toEqual([
        'menu_products.image',
        'portal_ads.images',
        'portal_ads.video',
        'portal_versions.content',
        'portals.agreements',
        'portals.draft',
        'portals.messages',
        'portals.styles',
        'tenants.landing_background_image',
        'tenants.landing_bottom_image',
        'tenants.landing_logo',
      ]);
      const orphan = await uploaded();

      await erase();
      await pass(30);
      await erase();
      for (const [name, url] of Object.entries(shown)) expect(await isKept(url), name).toBe(true);
      expect(await isKept(orphan)).toBe(false);
      expect((await stored()).size).toBe(Object.keys(shown).length);

      // Deleting the portal makes its pictures unused.
      expect((await api.delete(at, { token: admin })).status).toBe(204);
      await erase();
      await pass(30);
      await erase();
      const left = ['brand', 'landing', 'bottom', 'menu', 'menu, small'];
      for (const [name, url] of Object.entries(shown)) expect(await isKept(url), name).toBe(left.includes(name));
    },
    limitMs,
  );

  test('a background has a copy for phones of at most 24 KB, which is kept as long as the background', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const photo = await sharp({ create: { width: 1000, height: 700, channels: 3, background: 'red', noise } })
      .jpeg({ quality: 80 })
      .toBuffer();
    const { url, bytes } = await ask('post', 'panel/portal/image', fileForm(photo, { collection: 'background' }));
    expect(url).toMatch(/\/photo-[0-9a-f-]{36}\.webp$/);
    expect(bytes).toBeLessThanOrEqual(400_000);
    const small = url.replace('/photo-', '/photosmall-');
    const sizeOf = async () =>
      api.app.db.withTenant(await api.tenantId('panel'), tx =>
        tx.many<{ bytes: number }>(sql`select bytes from pictures where file = ${path.basename(small)}`),
      );
    const [copy] = await sizeOf();
    expect(copy!.bytes).toBeLessThanOrEqual(24_000);
    const { id } = await ask('post', 'panel/portal', { name: 'Photo' });
    await ask('put', `panel/portal/${id}`, { styles: { background_image: url } });
    // The version of the history still shows it.
    await ask('put', `panel/portal/${id}`, { styles: { background_image: null } });
    await erase();
    await pass(30);
    await erase();
    expect(await sizeOf()).toHaveLength(1);
    expect((await api.delete(`panel/portal/${id}`, { token: admin })).status).toBe(204);
    await erase();
    await pass(30);
    await erase();
    expect(await sizeOf()).toHaveLength(0);
  });

  test.each([
    ['advertisement', 32_000],
    ['content', 60_000],
    ['logo', 5_400],
    ['icon', 8_000],
  ])('of the kind %s take at most %i bytes, also noise', async (collection, most) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const photo = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#888', noise } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const { bytes } = await ask('post', 'panel/portal/image', fileForm(photo, { collection }));
    expect(bytes).toBeLessThanOrEqual(most);
  });

  test('are refused at their field when a form that was left open names them after deletion', async () => {
    const portal: string = (await ask('post', 'panel/portal', { name: 'Open' })).id;
    const at = `panel/portal/${portal}`;
    const [url, kept] = [await uploaded(), await uploaded()];
    await erase();
    await ask('put', at, { styles: { background_image: kept } });
    await pass(8);
    await erase();
    for (const [method, path, body, field] of [
      ['put', at, { styles: { portal_logo: url } }, 'styles.portal_logo'],
      ['put', at, { logo: url }, 'logo'],
      ['put', `${at}/draft`, { styles: { background_image: url } }, 'styles.background_image'],
      ['post', `${at}/ads`, { name: 'A', type: 'image', images: [kept, url] }, 'images.1'],
    ] as const) {
      const answer = await api[method](path, { token: admin, body });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [field]]);
    }
    const text = await ask('put', at, { agreements: { kvkk: { tr: `<p>Metin<img src="${url}"></p>` } } });
    expect(text.agreements.kvkk.tr).toBe('<p>Metin</p>');
    await ask('post', `${at}/ads`, { name: 'A', type: 'image', images: [kept] });
    expect((await api.delete(at, { token: admin })).status).toBe(204);
  });

  test('without a row in the table get one and are kept for a week', async () => {
    const old = path.join(folder, `content-${crypto.randomUUID()}.webp`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(old, await picture(30, 20));
    await erase();
    expect(await isKept(old)).toBe(true);
    // Processes of the older version still serve it.
    expect(existsSync(old)).toBe(true);
    utimesSync(old, 1, 1);
    await erase();
    expect(existsSync(old)).toBe(false);
    expect(await isKept(old)).toBe(true);
    await pass(8);
    await erase();
    expect(await isKept(old)).toBe(false);
  });

  test('stay when jobs of 0.5.0 miss their files, and go with their tenant', async () => {
    const url = await uploaded();
    const forget = sql`delete from pictures where not file = any('{}')`;
    await api.inTenant(tx => tx.run(forget));
    expect(await isKept(url)).toBe(true);
    // The job of 0.5.0 marks it as unused just before.
    await api.inTenant(tx => tx.run(sql`update pictures set unused_since = now()`));
    await api.inTenant(tx => tx.run(forget));
    expect(await isKept(url)).toBe(true);
    const id = crypto.randomUUID();
    await api.app.db.withSystem(async tx => {
      await tx.run(sql`insert into tenants (id, slug, brand_name, brand_long_name) values (${id}, 'gone', 'G', 'G')`);
      await tx.run(sql`insert into pictures (tenant_id, file, bytes, content) values (${id}, 'a.webp', 1, 'x')`);
      await tx.run(sql`delete from tenants where id = ${id}`);
      expect(await tx.many(sql`select from pictures where tenant_id = ${id}`)).toEqual([]);
    });
  });

  test('do not count as used when another tenant’s portal names them', async () => {
    const url = await uploaded();
    const other = (await api.user('tenant-admin', { tenant: 'other' })).token;
    const ask = (method: 'post' | 'put', at: string, body: unknown) =>
      api[method](at, { token: other, tenant: 'other', body });
    const portal: string = (await ask('post', 'panel/portal', { name: 'X' })).body.data.id;
    const form = { agreements: { kvkk: { tr: `<p>/uploads/${url.split('/uploads/')[1]}</p>` } } };
    expect((await ask('put', `panel/portal/${portal}`, form)).status).toBe(200);
    await erase();
    await pass(8);
    await erase();
    expect(await isKept(url)).toBe(false);
  });
});

describe('the size limit for pictures', () => {
  test(
    'is lower for one location than for the tenant, with a message for each',
    async () => {
      const place: string = (await ask('post', 'panel/location', { name: 'Dolu' })).id;
      const member = (await api.user('member', { location: place })).token;
      const send = async (token: string, language: 'tr' | 'en' = 'en') =>
        api.post('panel/portal/image', { token, language, body: fileForm(await noise(), { collection: 'content' }) });
      expect((await send(member)).status).toBe(201);
      // Stands for the uploads that would nearly use up the limit; each real one starts a process that draws it.
      const filler = sql`insert into pictures (file, bytes, location_id) values ('content-y.webp', 850000, ${place})`;
      await api.inTenant(tx => tx.run(filler));
      let full = await send(member);
      for (let i = 0; i < 10 && full.status === 201; i++) full = await send(member);
      expect(full.status).toBe(422);
      expect(full.body.errors.file[0]).toMatch(/^The images of this location use up the limit of 1 MB\./);
      expect((await send(member, 'tr')).body.errors.file[0]).toMatch(/^Bu lokasyonun görselleri 1 MB yer kaplıyor/);
      expect((await send(admin)).status).toBe(201);
      const before = (await stored()).size;
      await Promise.all([1, 2, 3].map(() => send(member)));
      expect((await stored()).size).toBe(before);

      // The tenant's limit, with all its locations.
      await api.inTenant(tx => tx.run(sql`insert into pictures (file, bytes) values ('content-x.webp', 40000000)`));
      expect((await send(admin)).body.errors.file[0]).toMatch(
        /^The images of all locations use up the limit of \d+ MB\./,
      );
      await api.inTenant(tx => tx.run(sql`delete from pictures where file = 'content-x.webp'`));
      expect((await send(admin)).status).toBe(201);
    },
    limitMs,
  );
});
