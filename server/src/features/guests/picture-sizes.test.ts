import sharp from 'sharp';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';
import { newGuestEachTest, startVenue, type Venue } from './testing/venue.ts';

let venue: Venue;
let at: string;
beforeAll(async () => {
  venue = await startVenue();
  at = `panel/portal/${venue.portal.id}`;
}, 120_000);
newGuestEachTest(() => venue);

const upload = async (collection: string, width: number, height: number): Promise<string> => {
  const body = fileForm(await picture(width, height), { collection });
  return (await venue.api.post(`${at}/image`, { token: venue.admin, body })).body.data.url;
};
const save = async (body: Body) => {
  const answer = await venue.api.put(at, { token: venue.admin, body });
  expect(answer.status, answer.text).toBe(200);
};
/** Width and height that a page tells of each picture, by path. */
const sizesIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<(?:img|source)\b[^>]*?(?:src|srcset)="([^"]+)"[^>]*>/gi)].map(([tag, src]) => [
      src,
      [/ width="(\d+)"/.exec(tag)?.[1], / height="(\d+)"/.exec(tag)?.[1]].map(Number),
    ]),
  );
const pathOf = (url: string) => new URL(url).pathname;

test('every picture of a page tells its size, so that nothing moves when it arrives', async () => {
  const [logo, night, rich, block] = [
    await upload('logo', 120, 120),
    await upload('logo', 90, 60),
    await upload('content', 200, 70),
    await upload('content', 64, 48),
  ];
  await save({
    styles: { portal_logo: logo, dark_logo: night, dark_mode: 'device' },
    agreements: { general: { en: `<p>Terms</p><img src="${rich}">` } },
    page: {
      sign_in_blocks: [
        { kind: 'text', texts: { en: `<p>Hello</p><p><img src="${rich}" width="20" height="7"></p>` } },
        { kind: 'picture', image: block, alt: {}, shape: 'square' },
      ],
    },
  });
  const { html } = await venue.captive.get(venue.arrival({ lang: 'en' }));
  expect(sizesIn(html)).toEqual({
    [pathOf(logo)]: [120, 120],
    [pathOf(night)]: [90, 60],
    // The operator's own size.
    [pathOf(rich)]: [20, 7],
    [pathOf(block)]: [64, 48],
  });
  const terms = venue.arrival({ lang: 'en' }).replace(`/w/${venue.nas}`, `/w/${venue.nas}/agreement/general`);
  expect(sizesIn((await venue.captive.get(terms)).html)).toMatchObject({ [pathOf(rich)]: [200, 70] });

  // The editor shows a picture that no portal has yet.
  const fresh = await upload('logo', 30, 80);
  const preview = await venue.captive.ask(`/preview/${venue.portal.id}?tenant=panel&lang=en`, {
    method: 'POST',
    body: JSON.stringify({ styles: { portal_logo: fresh } }),
    headers: { 'content-type': 'application/json' },
  });
  expect(sizesIn(JSON.parse(preview.html).body)).toMatchObject({ [pathOf(fresh)]: [30, 80] });
});

test('the size is that of the file, however it was encoded', async () => {
  const [width, height] = [733, 1451];
  for (const [channels, options] of [
    [3, {}],
    [4, {}],
    [3, { lossless: true }],
    [4, { lossless: true }],
    [4, { nearLossless: true }],
  ] as const) {
    const content = await sharp({ create: { width, height, channels, background: { r: 9, g: 80, b: 7, alpha: 0.5 } } })
      .webp(options)
      .toBuffer();
    const { size } = await venue.api.inTenant(tx =>
      tx.one<{ size: number[] }>(sql`select webp_size(${content}) as size`),
    );
    expect(size, JSON.stringify({ channels, options })).toEqual([width, height]);
  }
});
