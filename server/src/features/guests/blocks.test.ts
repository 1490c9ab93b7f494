import { gzipSync } from 'node:zlib';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileForm, picture } from '#test/uploads.ts';
import { comeOnline } from './testing/come-online.ts';
import { newGuestEachTest, startVenue, type Venue } from './testing/venue.ts';

let venue: Venue;
let at: string;
let url: string;
beforeAll(async () => {
  venue = await startVenue();
  at = `panel/portal/${venue.portal.id}`;
  const body = fileForm(await picture(), { collection: 'content' });
  url = (await venue.api.post(`${at}/image`, { token: venue.admin, body })).body.data.url;
}, 120_000);
newGuestEachTest(() => venue);

const put = (page: object, path = at) => venue.api.put(path, { token: venue.admin, body: { page } });
const save = async (page: object) => {
  const answer = await put(page);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.page;
};
const signInPage = async (lang = 'en') => (await venue.captive.get(venue.arrival({ lang }))).html;
const onlinePage = async (lang = 'en') => {
  const [path, headers] = await comeOnline(venue);
  return (await venue.captive.get(`${path}&lang=${lang}`, headers)).html;
};
const blocksOf = (html: string) => /<div class="blocks">(.*)<\/div>(?=<aside|<footer)/s.exec(html)?.[1] ?? '';

const text = (en: string, more: object = {}) => ({ kind: 'text', texts: { en }, ...more });
const button = (more: object = {}) => ({
  kind: 'button',
  label: { en: 'Book' },
  url: 'https://book.example/',
  ...more,
});

describe('the blocks of a page', () => {
  beforeEach(() => save({ sign_in_blocks: [], connected_blocks: [] }));

  test('are shown on their page, in order and in the language of the guest', async () => {
    await save({
      sign_in_blocks: [{ kind: 'text', texts: { en: '<p>Hello <b>you</b></p>', tr: '<p>Merhaba</p>' } }],
      connected_blocks: [
        button({ label: { en: 'Book a <table>', tr: 'Masa ayırtın' } }),
        { kind: 'picture', image: url, alt: { en: 'The "garden"' }, shape: 'tall' },
        text('<p>Bye</p>'),
      ],
    });
    const path = new URL(url).pathname;
    const before = await signInPage();
    expect(blocksOf(before)).toContain('<p>Hello <b>you</b></p>');
    expect(before).not.toContain('book.example');
    expect(blocksOf(await signInPage('tr'))).toContain('<p>Merhaba</p>');
    // German has no text: the portal's default language, which is English here.
    expect(blocksOf(await signInPage('de'))).toContain('<p>Hello <b>you</b></p>');
    const online = blocksOf(await onlinePage());
    expect(online).toMatch(
      /^<a class="button quiet" href="https:\/\/book.example\/" rel="noreferrer nofollow"><bdi>Book a &lt;table&gt;<\/bdi><\/a><img class="tall" src="[^"]*" alt="The &quot;garden&quot;"[^>]*\/><div class="rich" dir="auto"><p>Bye<\/p><\/div>$/,
    );
    expect(online).toContain(`src="${path}"`);
    expect(await onlinePage('tr')).toContain('Masa ayırtın');
    expect((await venue.captive.get(path)).status).toBe(200);
  });

  test('contain no scripts, styles or pictures of others', async () => {
    const foreign = url.replace(/uploads\/[^/]+/, 'uploads/0193d1a0-0000-7000-8000-000000000009');
    const hostile = `<p onclick="x()" style="position:fixed">Hi<script>alert(1)</script><a href="javascript:alert(1)">a</a><img src="${foreign}" onerror="x()"><iframe src="https://evil.example"></iframe></p><style>*{}</style>`;
    const page = await save({ sign_in_blocks: [text(hostile)] });
    expect(page.sign_in_blocks[0].texts.en).toBe('<p>Hi<a rel="noopener noreferrer nofollow">a</a></p>');
    expect(blocksOf(await signInPage())).not.toMatch(/script|onclick|onerror|evil|style=|<img/);
    // The preview shows unsaved values, so it cleans them too. It needs no sign-in.
    const draw = async (blocks: object[]) => {
      const answer = await venue.captive.ask(`/preview/${venue.portal.id}?tenant=panel&lang=en`, {
        method: 'POST',
        body: JSON.stringify({ page: { sign_in_blocks: blocks } }),
        headers: { 'content-type': 'application/json' },
      });
      return answer.status === 200 ? (JSON.parse(answer.html).body as string) : answer.status;
    };
    const drawn = String(await draw([text(hostile), { kind: 'picture', image: foreign, alt: {}, shape: 'wide' }]));
    expect(blocksOf(drawn)).toBe(
      '<div class="rich" dir="auto"><p>Hi<a rel="noopener noreferrer nofollow">a</a></p></div>',
    );
    expect(await draw([button({ url: 'javascript:alert(1)' })])).toBe(400);
  });

  test('are refused with the field that is wrong, and nothing changes', async () => {
    await save({ sign_in_blocks: [text('Kept')] });
    const foreign = url.replace(/uploads\/[^/]+/, 'uploads/0193d1a0-0000-7000-8000-000000000009');
    const shown = { kind: 'picture', image: url, alt: {}, shape: 'wide' };
    for (const [blocks, field] of [
      [[{ kind: 'video' }], '0.kind'],
      [[text('')], '0.texts'],
      [[text('x'.repeat(1501))], '0.texts.en'],
      [[text('<script>alert(1)</script>')], '0.texts.en'],
      [[{ kind: 'text', texts: { xx: 'x' } }], '0.texts'],
      [[button({ url: 'javascript:alert(1)' })], '0.url'],
      [[button({ url: 'http://book.example/' })], '0.url'],
      [[button({ url: '' })], '0.url'],
      [[button({ url: `https://book.example/${'x'.repeat(2000)}` })], '0.url'],
      [[button({ label: { en: ' ' } })], '0.label'],
      [[button({ label: { en: 'x'.repeat(61) } })], '0.label.en'],
      [[{ kind: 'menu', label: {} }], '0.label'],
      [[text('a'), { ...shown, image: foreign }], '1.image'],
      [[{ ...shown, image: 'https://evil.example/a.webp' }], '0.image'],
      [[{ ...shown, image: null }], '0.image'],
      [[{ ...shown, shape: 'round' }], '0.shape'],
      [[text('a', { starts_on: '2026-02-30' })], '0.starts_on'],
      [[text('a', { starts_on: '2026-11-02', ends_on: '2026-11-01' })], '0.ends_on'],
      [[text('a', { weekdays: [] })], '0.weekdays'],
      [[text('a', { weekdays: [8] })], '0.weekdays'],
      [[text('a', { from_time: '25:00', to_time: '26:00' })], '0.from_time'],
      [[text('a', { from_time: '18:00' })], '0.to_time'],
      [[text('a', { to_time: '18:00', from_time: '' })], '0.from_time'],
      [[text('a', { from_time: '18:00', to_time: '18:00' })], '0.to_time'],
      [[text('a', { id: 'x' })], '0.id'],
      [[{ kind: 'advertisement' }, { kind: 'advertisement' }], '1.kind'],
      [Array.from({ length: 9 }, () => text('a')), ''],
      ['x', ''],
    ] as const) {
      for (const path of [at, `${at}/draft`]) {
        const answer = await put({ sign_in_blocks: blocks }, path);
        expect(answer.status, JSON.stringify(blocks).slice(0, 200)).toBe(422);
        const wanted = `page.sign_in_blocks${field && `.${field}`}`;
        expect(
          Object.keys(answer.body.errors).some(key => key.startsWith(wanted)),
          `${wanted}: ${answer.text}`,
        ).toBe(true);
      }
    }
    const { page } = (await venue.api.get(at, { token: venue.admin })).body.data;
    expect(page.sign_in_blocks.map((it: PortalBlock) => it.kind === 'text' && it.texts.en)).toEqual(['Kept']);
  });

  test('are shown only at their time, by the clocks of the location', async () => {
    // Both are far from the clocks of the server. On one of them no day ends in this hour.
    const zone = new Date().getUTCHours() === 9 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    await venue.run(sql`update locations set time_zone = ${zone} where id = ${venue.location}`);
    const [local] = await venue.rows<{ today: string; weekday: number; hour: number }>(sql`
      select to_char(local_day(${zone}), 'YYYY-MM-DD') as today, extract(isodow from local_day(${zone}))::int as weekday,
        extract(hour from now() at time zone ${zone})::int as hour`);
    const { today, weekday, hour } = local!;
    const clock = (it: number) => `${String((it + 24) % 24).padStart(2, '0')}:00`;
    for (const [more, isShown] of [
      [{}, true],
      [{ starts_on: today, ends_on: today }, true],
      [{ starts_on: '2020-01-01', ends_on: '2020-01-02' }, false],
      [{ weekdays: [weekday] }, true],
      [{ weekdays: [(weekday % 7) + 1] }, false],
      [{ from_time: clock(hour - 1), to_time: clock(hour + 2) }, true],
      [{ from_time: clock(hour + 2), to_time: clock(hour + 3) }, false],
    ] as const) {
      await save({ sign_in_blocks: [text('Now', more)], connected_blocks: [text('Now', more)] });
      expect((await signInPage()).includes('Now'), JSON.stringify(more)).toBe(isShown);
      expect((await onlinePage()).includes('Now'), JSON.stringify(more)).toBe(isShown);
    }
    await venue.run(sql`update locations set time_zone = 'Europe/Istanbul' where id = ${venue.location}`);
  });

  test('have a button to the QR menu of the location, where there is one', async () => {
    const menu = [{ kind: 'menu', label: { en: 'Our menu', tr: 'Menümüz' } }];
    await save({ sign_in_blocks: menu, connected_blocks: menu });
    expect(await signInPage()).not.toContain('Our menu');
    const desk = await venue.create('panel/qrmenu/desk', { title: 'Table', location_id: venue.location });
    expect(await signInPage(), 'a menu without products').not.toContain('Our menu');
    await venue.create('panel/qrmenu/product', { title: 'Tea', location_id: venue.location, price: 1 });
    const [row] = await venue.rows<{ code: string }>(sql`select code from menu_desks where id = ${desk.id}`);
    const href = `/m/${row!.code}?lang=en`;
    expect(blocksOf(await signInPage())).toContain(`href="${href}"`);
    expect(blocksOf(await onlinePage())).toContain(`href="${href}"`);
    expect((await venue.captive.get(href)).html).toContain('Tea');
  });

  test('give the advertisement its place and its time', async () => {
    const ad = await venue.create(`${at}/ads`, { name: 'Jam', type: 'image', images: [url] });
    const isInside = async () => {
      const html = await signInPage();
      return [html.includes('alt="Jam"'), blocksOf(html).includes('alt="Jam"')];
    };
    const views = async () =>
      (await venue.api.get(`${at}/ads/results`, { token: venue.admin })).body.data.find(
        (it: { id: string }) => it.id === ad.id,
      ).views;
    expect(await isInside()).toEqual([true, false]);
    await save({ sign_in_blocks: [{ kind: 'advertisement' }, text('Last')] });
    expect(await isInside()).toEqual([true, true]);
    const seen = await views();
    await save({ sign_in_blocks: [{ kind: 'advertisement', ends_on: '2020-01-01' }, text('Last')] });
    expect(await isInside()).toEqual([false, false]);
    expect(await views(), 'what is not shown is not counted').toBe(seen);
    await venue.api.delete(`${at}/ads/${ad.id}`, { token: venue.admin });
  });

  test('belong to the draft, the versions and a copy of the portal', async () => {
    const first = await save({
      connected_blocks: [text('First'), { kind: 'picture', image: url, alt: {}, shape: 'wide' }],
    });
    expect(first.connected_blocks[1].image).toBe(url);
    const again = await save({ connected_blocks: first.connected_blocks });
    expect(again, 'a block keeps its id').toEqual(first);
    const [twin] = first.connected_blocks;
    const draft = await put({ connected_blocks: [twin, twin] }, `${at}/draft`);
    expect(draft.body.data.page.connected_blocks[0].id).toBe(twin.id);
    expect(draft.body.data.page.connected_blocks[1].id).not.toBe(twin.id);
    expect((await venue.api.get(at, { token: venue.admin })).body.data.page).toEqual(first);
    const published = await venue.api.post(`${at}/publish`, { token: venue.admin });
    expect(published.body.data.page.connected_blocks).toHaveLength(2);
    const [newest, before] = (await venue.api.get(`${at}/history`, { token: venue.admin })).body.data;
    expect(newest.changes).toEqual(['page']);
    const old = await venue.api.get(`${at}/history/${before.id}`, { token: venue.admin });
    expect(old.body.data.page.connected_blocks).toEqual(first.connected_blocks);
    const restored = await venue.api.post(`${at}/history/${before.id}/restore`, { token: venue.admin });
    expect(restored.body.data.page).toEqual(first);
    const copy = await venue.api.post(`${at}/duplicate`, { token: venue.admin, body: { name: 'Copy' } });
    expect(copy.body.data.page.connected_blocks).toEqual(first.connected_blocks);
    // A picture that only a block shows is in use.
    const file = new URL(url).pathname.split('/').at(-1)!;
    expect(await venue.rows(sql`select from used_pictures where file = ${file}`)).not.toHaveLength(0);
  });

  test('keep the first view below 14 KB when they are full', async () => {
    await venue.offer(...['citizen-id', 'room-number', 'sms', 'username', 'temp', 'email'].map(slug => ({ slug })));
    const words = 'Kahvaltı her sabah yediden ona kadar terasta sizi bekliyor, bahçemizin reçellerini deneyin. ';
    await save({
      sign_in_blocks: Array.from({ length: 4 }, (_, i) => [
        { kind: 'text', texts: { tr: `<p>${i} ${words.repeat(6)}</p>` } },
        { kind: 'button', label: { tr: 'Masa ayırtın' }, url: `https://book.example/${i}` },
      ]).flat(),
    });
    const page = await signInPage('tr');
    expect(blocksOf(page)).toContain('Masa ayırtın');
    expect(gzipSync(page, { level: 3, memLevel: 7 }).length + 1200).toBeLessThan(14 * 1024);
    await venue.offer({ slug: 'username' });
  });
});
