import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { comeOnline } from '../testing/come-online.ts';
import { newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
let portal: string;
beforeAll(async () => {
  venue = await startVenue();
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
    for (const lang of ['tr', 'en', 'de', 'ru', 'ar']) {
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
    expect(await counted()).toMatchObject([{ id: ad.id, views: 2 }]);
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
