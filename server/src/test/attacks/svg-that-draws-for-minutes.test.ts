import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { fileForm } from '#test/uploads.ts';

/** A member of a location uploads a small SVG that takes minutes to draw, to stop the service for all users. */

let api: TestApi;
let member: string;
beforeAll(async () => {
  api = await startApi();
  const admin = (await api.user('tenant-admin')).token;
  const made = await api.post('panel/location', { token: admin, body: { name: 'Kafe' } });
  member = (await api.user('member', { location: made.body.data.id })).token;
}, 60_000);

const svg = (inside: string, size = 3000) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${inside}</svg>`;
const upload = (text: string) =>
  api.post('panel/portal/image', {
    token: member,
    language: 'en',
    body: fileForm(text, { name: 'x.svg', collection: 'logo' }),
  });

const stackedFilters = svg(
  Array.from(
    { length: 40 },
    (_, i) =>
      `<filter id="f${i}"><feTurbulence baseFrequency=".01" numOctaves="10"/><feGaussianBlur stdDeviation="200"/></filter><rect width="3000" height="3000" filter="url(#f${i})"/>`,
  ).join(''),
);
const copiesOfCopies = svg(
  `<defs><path id="u0" d="M0 0h9v9z"/>${Array.from({ length: 9 }, (_, i) => `<g id="u${i + 1}">${`<use xlink:href="#u${i}"/>`.repeat(10)}</g>`).join('')}</defs><use xlink:href="#u9"/>`,
);

test.for([
  ['stacked filters', stackedFilters],
  ['filters in a style', svg('<rect width="9" height="9" style="filter: blur(400px)"/>')],
  ['filters under a prefix', svg('<s:filter xmlns:s="http://www.w3.org/2000/svg" id="a"><s:feFlood/></s:filter>')],
  ['patterns in patterns', svg('<pattern id="p" width="1" height="1"><rect fill="url(#p)"/></pattern>')],
  ['copies of copies', copiesOfCopies],
  ['a copy that contains itself', svg('<g id="a"><use href="#a"/></g>')],
  ['thousands of copies', svg(`<path id="a" d="M0 0h9"/>${'<use href="#a"/>'.repeat(5000)}`)],
])('%s are refused before they are drawn', async ([, text]) => {
  const answer = await upload(text!);
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.errors.file).toEqual([
    'This SVG contains filters, patterns or nested copies. Export it as a PNG.',
  ]);
});

test('rendering of a drawing that passes the checks is aborted; other requests are answered and rendered', async () => {
  const rings = Array.from(
    { length: 4000 },
    (_, i) =>
      `<circle cx="1500" cy="1500" r="${1400 - (i % 700)}" fill="none" stroke="#0${i % 10}f" stroke-opacity=".3" stroke-width="900" stroke-dasharray="1 2"/>`,
  ).join('');
  const attack = upload(svg(rings));
  const plain = upload(svg('<path d="M0 0h900v900z"/>'));
  const first = await Promise.race([
    attack.then(() => 'the upload'),
    api.get('panel/user/me', { token: member }).then(it => `the other call: ${it.status}`),
  ]);
  expect(first).toBe('the other call: 200');
  const refused = await attack;
  expect(refused.status, refused.text).toBe(422);
  expect(refused.body.errors.file).toEqual(['This image takes too long to render. Export it smaller, or as a PNG.']);
  expect((await plain).status).toBe(201);
}, 90_000);

test('a plain drawing with one level of copies is drawn', async () => {
  const answer = await upload(svg('<path id="a" d="M0 0h900v900z"/><use href="#a" x="9"/><use href="#a" x="90"/>'));
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data.width).toBe(432);
});
