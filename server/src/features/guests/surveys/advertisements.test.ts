import { gzipSync } from 'node:zlib';
import { portalLanguages } from '@portico/contract/portal-languages.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import { farZones } from '#test/far-zones.ts';
import { fileForm, picture as pictureFile } from '#test/uploads.ts';
import { mp4 } from '#test/videos.ts';
import { guestJobs } from '../guests.jobs.ts';
import { comeOnline } from '../testing/come-online.ts';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';
import { createViewCounter } from './advertisements.ts';

let venue: Venue;
let portal: string;
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
  portal = `panel/portal/${venue.portal.id}`;
}, 120_000);
newGuestEachTest(() => venue);

describe('the first view', () => {
  test('fits into 14 kB with every method and an advertisement, in every language', async () => {
    await venue.offer(...['citizen-id', 'room-number', 'sms', 'username', 'temp', 'email'].map(slug => ({ slug })));
    const ad = await venue.create(`${portal}/ads`, {
      name: 'Tea',
      type: 'embed',
      embed_code: '<iframe src="https://tea.example/"></iframe>',
    });
    await venue.run(sql`update portal_ads set type = 'image', images = ${['/uploads/x/a.webp']} where id = ${ad.id}`);
    await venue.update(portal, { page: { languages: ['en', ...portalLanguages.filter(it => it !== 'en')] } });
    for (const lang of portalLanguages) {
      const page = await venue.captive.get(venue.arrival({ lang }));
      expect(page.html).toContain('class="ad"');
      // Compressed as by the server, with its headers.
      expect(gzipSync(page.html, { level: 3, memLevel: 7 }).length + 1200, lang).toBeLessThan(14 * 1024);
    }
    await venue.api.delete(`${portal}/ads/${ad.id}`, { token: venue.admin });
    await venue.offer({ slug: 'username' });
  });
});

describe('an advertisement', () => {
  const url = '/uploads/0193d1a0-0000-7000-8000-000000000001/advertisement-0193d1a0-0000-7000-8000-000000000002.webp';
  test('with pictures is shown and counted, and loads nothing from other hosts', async () => {
    const ad = await venue.create(`${portal}/ads`, {
      name: 'Tea <now>',
      type: 'embed',
      embed_code: '<iframe src="https://video.example/1"></iframe><script>x</script>',
    });
    await venue.run(sql`update portal_ads set type = 'image', images = ${[url]} where id = ${ad.id}`);
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain(`<img src="${url}" alt="Tea &lt;now&gt;" loading="lazy"`);
    expect(page.html).not.toMatch(/<(img|script|link|iframe)[^>]+(src|href)="(https?:)?\/\//);
    await venue.captive.get(venue.arrival());
    const counted = async () => (await venue.api.get(`${portal}/ads/results`, { token: venue.admin })).body.data;
    expect(await counted()).toMatchObject([{ id: ad.id, views: 2, clicks: 0 }]);
    expect((await counted())[0].days.at(-1).views).toBe(2);
    // Simultaneous guests are counted in one query, and each counts.
    await Promise.all(Array.from({ length: 40 }, () => venue.captive.get(venue.arrival())));
    expect(await counted()).toMatchObject([{ id: ad.id, views: 42 }]);

    await venue.run(sql`update portal_ads set type = 'embed', images = '{}' where id = ${ad.id}`);
    const before = await venue.captive.get(venue.arrival());
    expect(before.html, 'embed codes appear only online').not.toContain('<iframe');
    const online = await venue.captive.get(...(await comeOnline(venue)));
    const frame = /<iframe src="([^"]+)"/.exec(online.html)![1]!;
    expect(online.headers.get('content-security-policy')).toContain("frame-src 'self'");
    const framed = await venue.captive.get(frame);
    expect(framed.html).toContain('<iframe src="https://video.example/1"');
    expect(framed.html).not.toContain('<script');
    const policy = framed.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/sandbox allow-scripts allow-same-origin allow-popups/);
    expect(policy).not.toContain('allow-top');
    expect(policy).not.toContain('script-src');
    expect((await counted())[0].views).toBe(43);
    expect((await venue.captive.get(`/w/${venue.nas}/ad/${venue.portal.id}`)).status).toBe(404);
    expect((await venue.captive.get(`/w/${venue.nas}/ad/x`)).status).toBe(404);
    expect((await venue.captive.get(`/w/nosuchrouter1/ad/${ad.id}`)).status).toBe(404);
  });
});

describe('advertisements with a timing', () => {
  const at = () => `${portal}/ads`;
  const asAdmin = () => ({ token: venue.admin });
  const change = async (id: string, more: object) => {
    const answer = await venue.api.put(`${at()}/${id}`, { ...asAdmin(), body: more });
    expect(answer.status, answer.text).toBe(200);
  };
  let url: string;
  const uploaded = async () => {
    const body = fileForm(await pictureFile(), { collection: 'advertisement' });
    return (await venue.api.post(`${portal}/image`, { ...asAdmin(), body })).body.data.url as string;
  };
  /** An advertisement with a picture. */
  async function advertise(name: string, more: object = {}): Promise<string> {
    url ??= await uploaded();
    return (await venue.create(at(), { name, type: 'image', images: [url], ...more })).id;
  }
  const clear = async () => {
    for (const { id } of (await venue.api.get(at(), asAdmin())).body.data)
      await venue.api.delete(`${at()}/${id}`, asAdmin());
  };
  const shows = async (name: string, lang = 'en') =>
    (await venue.captive.get(venue.arrival({ lang }))).html.includes(`alt="${name}"`);
  const figures = async (id: string) =>
    (await venue.api.get(`${at()}/results`, asAdmin())).body.data.find((it: { id: string }) => it.id === id);

  test('are shown on their days, weekdays and languages only, by the clocks of the location', async () => {
    await clear();
    // The day there differs from that of UTC for most of the day.
    const { ahead } = farZones();
    await venue.run(sql`update locations set time_zone = ${ahead} where id = ${venue.location}`);
    const [local] = await venue.rows<{ today: string; weekday: number }>(sql`
      select to_char(local_day(${ahead}), 'YYYY-MM-DD') as today, extract(isodow from local_day(${ahead}))::int as weekday`);
    const { today, weekday } = local!;
    const shift = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    const id = await advertise('Tea');
    for (const [more, isShown] of [
      [{ starts_on: today, ends_on: today }, true],
      [{ starts_on: shift(1), ends_on: null }, false],
      [{ starts_on: null, ends_on: shift(-1) }, false],
      [{ starts_on: shift(-1), ends_on: '', weekdays: [weekday] }, true],
      [{ weekdays: [(weekday % 7) + 1] }, false],
      [{ weekdays: null, languages: ['de', 'tr'] }, false],
      [{ languages: ['en'] }, true],
      [{ languages: null, starts_on: '' }, true],
    ] as const) {
      await change(id, more);
      expect(await shows('Tea'), JSON.stringify(more)).toBe(isShown);
    }
    await venue.run(sql`update locations set time_zone = ${zoneAtNoon()} where id = ${venue.location}`);
  });

  test('are chosen by their weight', async () => {
    await clear();
    await advertise('Rare');
    await advertise('Often', { weight: 9 });
    const pages = await Promise.all(Array.from({ length: 120 }, () => venue.captive.get(venue.arrival())));
    const often = pages.filter(({ html }) => html.includes('alt="Often"')).length;
    expect(pages.filter(({ html }) => html.includes('alt="Rare"')).length).toBe(120 - often);
    // 108 are expected. Fewer than 85 come once in many millions of runs.
    expect(often).toBeGreaterThan(85);
    expect(often).toBeLessThan(120);
  });

  test('with a cap are shown so often a day to each guest device', async () => {
    await clear();
    const id = await advertise('Capped', { daily_cap: 2 });
    const views = async () => [await shows('Capped'), await shows('Capped'), await shows('Capped')];
    expect(await views()).toEqual([true, true, false]);
    venue.newMac();
    expect(await views()).toEqual([true, true, false]);
    await venue.run(sql`update ad_guests set day = day - 1`);
    expect(await shows('Capped')).toBe(true);
    expect((await figures(id)).views).toBe(5);
    await venue.run(sql`update ad_guests set day = day - 3`);
    await guestJobs[0]!.run(venue.api.app);
    expect(await venue.rows(sql`select 1 from ad_guests`)).toEqual([]);
    await change(id, { daily_cap: null });
    expect([...(await views()), await shows('Capped')]).toEqual([true, true, true, true]);
    expect(await venue.rows(sql`select 1 from ad_guests`), 'without a cap no guest device is stored').toEqual([]);
  });

  test('count 300 views an hour from other networks than the router’s, and no prefetch', async () => {
    await clear();
    const id = await advertise('Tea');
    const views = async () => (await figures(id)).views;
    const arrive = (more = {}) => venue.captive.ask(venue.arrival(), more);
    const arriveOften = async (times: number) => {
      for (let left = times; left > 0; left -= 20) await Promise.all(Array.from({ length: 20 }, () => arrive()));
    };
    await arrive({ method: 'HEAD' });
    await arrive({ headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect(await views()).toBe(0);
    const routerAt = (address: string | null) =>
      venue.run(sql`update devices set last_address = ${address} where id = ${venue.device.id}`);
    await routerAt('198.51.100.9');
    await arriveOften(400);
    const stranger = await views();
    expect(stranger).toBeGreaterThan(250);
    expect(stranger).toBeLessThanOrEqual(300);
    await routerAt('127.0.0.1');
    await arriveOften(40);
    expect(await views(), 'the router’s guests still count').toBe(stranger + 40);
    await routerAt('198.51.100.9');
    const [online, browser] = await comeOnline(venue);
    await venue.captive.get(online, browser);
    expect(await views(), 'so do guests who are online').toBe(stranger + 41);
    await routerAt(null);
  });

  test('lead guests who are online to their link, and count each device once a day', async () => {
    await clear();
    const link = 'https://xn--ay-zja.example/shop?a=1&b=2';
    const id = await advertise('Shop', { link });
    const open = `/w/${venue.nas}/ad/${id}/open`;
    expect((await venue.captive.get(venue.arrival())).html, 'the router would block it').not.toContain(open);
    const [online, browser] = await comeOnline(venue);
    const page = await venue.captive.get(online, browser);
    expect(page.html).toContain(`<a href="${open}" target="_blank" rel="noopener noreferrer nofollow sponsored">`);
    const clicks = async () => (await figures(id)).clicks;
    const go = (headers: Record<string, string> = {}, more = '', method = 'GET') =>
      venue.captive.ask(open + more, { headers, method });
    for (const answer of [
      await go(),
      await go({ cookie: 'portico_visit=x.y' }),
      await go({ ...browser, 'sec-purpose': 'prefetch' }),
      await go(browser, '', 'HEAD'),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, link]);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(await clicks(), 'strangers and prefetches do not count').toBe(0);
    const answers = await Promise.all([go(browser), go(browser), go(browser, '?to=https://evil.example')]);
    expect(answers.map(it => it.headers.get('location'))).toEqual([link, link, link]);
    expect(await clicks()).toBe(1);
    venue.newMac();
    const signedIn = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
    await go({ cookie: cookiesOf(signedIn) });
    expect(await clicks(), 'not online yet').toBe(1);
    venue.newMac();
    const [, other] = await comeOnline(venue);
    await go(other);
    await venue.run(sql`update ad_guests set day = day - 1`);
    await go(browser);
    const all = await figures(id);
    expect([all.clicks, all.days.at(-1).clicks]).toEqual([3, 3]);

    // Only what this router's portals show now.
    const elsewhere = await venue.create('panel/portal', { name: 'Other', location_id: venue.location });
    const body = { name: 'X', type: 'image', images: [url], link: 'https://x.example/' };
    const foreign = await venue.create(`panel/portal/${elsewhere.id}/ads`, body);
    for (const bad of [foreign.id, venue.portal.id, 'x'])
      expect((await venue.captive.get(`/w/${venue.nas}/ad/${bad}/open`, browser)).status).toBe(404);
    expect((await venue.captive.get(`/w/nosuchrouter1/ad/${id}/open`)).status).toBe(404);
    await change(id, { link: '' });
    expect((await go(browser)).status).toBe(404);
  });

  test('give their figures as a CSV file, to those who may see the portal', async () => {
    await clear();
    const id = await advertise('=Tea; "best"');
    await venue.captive.get(venue.arrival());
    await venue.run(sql`update ad_days set clicks = 4 where ad_id = ${id}`);
    const file = await venue.api.get(`${at()}/export`, { ...asAdmin(), headers: { 'accept-language': 'tr' } });
    expect(file.status, file.text).toBe(200);
    const lines = file.text.replace('\u{feff}', '').trim().split('\r\n');
    expect(lines[0]).toBe('Gün,Reklam,Gösterim,Tıklama');
    expect(lines).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\d,"'=Tea; ""best""",1,4$/));
    const { token } = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    expect((await venue.api.get(`${at()}/export`, { token, tenant: 'elsewhere' })).status).toBe(404);
    const place = await venue.create('panel/location', { name: 'Elsewhere' });
    const neighbour = await venue.api.user('member', { location: place.id });
    expect((await venue.api.get(`${at()}/export`, { token: neighbour.token })).status).toBe(404);
    expect((await venue.api.get(`${at()}/export`)).status).toBe(401);
    const entries = (await venue.api.get('panel/audit', asAdmin())).body.data;
    expect(entries).toContainEqual(
      expect.objectContaining({ verb: 'export', subject: expect.objectContaining({ type: 'advertisement' }) }),
    );
  });
});

describe('counting views while the database is away', () => {
  test('keeps a bounded queue, and the page of a guest beyond it does not wait', async () => {
    const { app } = venue.api;
    const away = new Promise<never>(() => undefined);
    const countView = createViewCounter({ ...app, db: { ...app.db, withTenant: () => away } });
    const ad = { id: '', name: '', images: [], frame: null, video: null, seconds: null, link: null };
    const shownAd = { ad, tenantId: 'x', locationId: 'x', deviceId: 'x', mac: '', routerAddress: null };
    const viewer = { address: '127.0.0.1', isReal: true };
    let sent = 0;
    for (let i = 0; i < 6000; i++) void countView(shownAd, viewer).then(() => (sent += 1));
    // One batch of 500 runs, 5,000 wait.
    await expect.poll(() => sent).toBe(500);
  });
});

describe('an advertisement with a video', () => {
  const token = () => ({ token: venue.admin });
  const upload = async (at: string, file: Buffer, fields = {}): Promise<string> =>
    (await venue.api.post(`${portal}/${at}`, { ...token(), body: fileForm(file, fields) })).body.data.url;
  const pathOf = (url: string) => new URL(url).pathname;

  test('keeps the form of a first page waiting, and plays on the connected page too', async () => {
    for (const { id } of (await venue.api.get(`${portal}/ads`, token())).body.data)
      await venue.api.delete(`${portal}/ads/${id}`, token());
    const video = await upload('video', mp4({}));
    const poster = await upload('image', await pictureFile(), { collection: 'advertisement' });
    const { id } = await venue.create(`${portal}/ads`, {
      name: 'Tea',
      type: 'video',
      video,
      images: [poster],
      seconds: 6,
    });
    const shown = `<video src="${pathOf(video)}" poster="${pathOf(poster)}" aria-label="Tea" muted="" playsInline="" controls="" preload="none">`;

    const first = await venue.captive.get(venue.arrival());
    expect(first.html).toContain(shown);
    expect(first.html).toContain('--wait:6s');
    expect(first.html).toContain('The form opens in 6 seconds.');
    expect(first.headers.get('content-security-policy')).toContain("media-src 'self'");
    // A guest who comes back after a mistake has seen it.
    const again = await venue.submit({ username: 'guest', password: 'wrong' });
    expect(again.html).toContain(shown);
    expect(again.html).not.toContain('wait');
    // So has a guest whom the page of a problem leads to the form, though nothing was typed.
    const refused = await venue.captive.get(`${venue.arrival()}&step=blocked`);
    const form = /<a class="button" href="([^"]*step=form[^"]*)"/.exec(refused.html)?.[1]?.replaceAll('&amp;', '&');
    expect((await venue.captive.get(form ?? '')).html).toContain(shown);
    expect((await venue.captive.get(form ?? '')).html).not.toContain('wait');
    const online = await venue.captive.get(...(await comeOnline(venue)));
    expect(online.html).toContain(shown);
    expect(online.html).not.toContain('wait');
    await venue.update(`${portal}/ads/${id}`, { seconds: null });
    expect((await venue.captive.get(venue.arrival())).html).not.toContain('wait');
  });

  test('is sent whole or in parts', async () => {
    const file = mp4({});
    const text = file.toString('latin1');
    const at = pathOf(await upload('video', file));
    const ask = (headers: Record<string, string> = {}) => venue.captive.ask(at, { headers });
    const whole = await ask();
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      'video/mp4',
      'bytes',
    ]);
    expect(whole.html).toBe(text);
    const part = await ask({ range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      `bytes 10-19/${file.length}`,
      '10',
    ]);
    expect(part.html).toBe(text.slice(10, 20));
    expect((await ask({ range: 'bytes=-5' })).html).toBe(text.slice(-5));
    const beyond = await ask({ range: 'bytes=99999-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
    const etag = whole.headers.get('etag')!;
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await ask({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200);
    expect((await venue.captive.get(at.replace(/video-[0-9a-f]{8}/, 'video-00000000'))).status).toBe(404);
    expect((await venue.captive.get(at.replace('.mp4', '.html'))).status).toBe(404);
  });
});
