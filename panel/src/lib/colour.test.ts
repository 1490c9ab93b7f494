import { expect, test } from 'vitest';
import { accentOn, contrast, parseHex } from '#lib/colour.ts';

const colours = [
  '#2f71f2',
  '#ffe600',
  '#ffffff',
  '#000000',
  '#e11d48',
  '#0f766e',
  '#7cfc00',
  '#1a1a2e',
  '#ff8800',
  '#888',
];
const surfaces = ['#ffffff', '#161b22'];
const ratio = (a: string, b: string) => contrast(parseHex(a) ?? [0, 0, 0], parseHex(b) ?? [0, 0, 0]);

test.each(colours.flatMap(colour => surfaces.map(surface => [colour, surface] as const)))(
  '%s on %s: the text on a fill, and accent text on surface and soft background, keep 4.5:1',
  (colour, surface) => {
    const accent = accentOn(colour, surface);
    expect(ratio(accent.on, accent.fill)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(accent.text, accent.soft)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(accent.text, surface)).toBeGreaterThanOrEqual(4.5);
    expect(ratio(accent.on, accent.hover)).toBeGreaterThanOrEqual(4.5);
  },
);

test('an invalid colour falls back to the default', () => {
  expect(accentOn('red; background: url(x)', '#ffffff')).toEqual(accentOn('#2f71f2', '#ffffff'));
});

test.each([
  ['#fff', [1, 1, 1]],
  [' #2F71f2 ', [0x2f / 255, 0x71 / 255, 0xf2 / 255]],
  ['#1a3', [0x11 / 255, 0xaa / 255, 0x33 / 255]],
  ['2f71f2', undefined],
  ['#2f71', undefined],
  ['#2f71f', undefined],
  ['#2f71f22', undefined],
  ['x#2f71f2', undefined],
  ['#2f71fg', undefined],
  ['', undefined],
])('%j is read as a colour', (text, expected) => expect(parseHex(text)).toEqual(expected));

// Other tools compute the same: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#00ff00', '#ffffff', 1.37],
  ['#0000ff', '#ffffff', 8.59],
  ['#0a0a0a', '#000000', 1.06],
])('%s on %s has the contrast of WCAG, in both directions', (a, b, expected) => {
  expect(ratio(a, b)).toBeCloseTo(expected, 2);
  expect(ratio(b, a)).toBeCloseTo(expected, 2);
});

// One of each kind: common, light and dark, nearly the surface, red on grey, and without a hue. A change of these is a change of the brand.
test.each([
  ['#2f71f2', '#ffffff', '#2c6eee #1c5edd #ffffff #2364e4 #ecf2fe #f4f8fe #b5ccf9'],
  ['#2f71f2', '#161b22', '#2c6eee #1c5edd #ffffff #5095ff #1a2c4b #19253b #214488'],
  ['#ffe600', '#ffffff', '#ffe600 #fff42d #0b0f16 #8a7000 #fffde8 #fffef2 #fff6a6'],
  ['#1a1a2e', '#161b22', '#494a61 #3c3d53 #ffffff #8b8ca6 #20242f #1c212a #303342'],
  ['#0f766e', '#161b22', '#0f766e #006760 #ffffff #48a198 #152d31 #15262b #124948'],
  ['#e11d48', '#f6f8fa', '#e11d48 #cf003a #ffffff #cf003a #f4e4ea #f5edf1 #efabbc'],
  ['#7cfc00', '#161b22', '#7cfc00 #8aff2c #0b0f16 #7cfc00 #2a481b #22361e #498c11'],
  ['#888', '#ffffff', '#767676 #686868 #ffffff #6e6e6e #f3f3f3 #f8f8f8 #cfcfcf'],
])('%s on %s keeps its accent', (colour, surface, expected) => {
  const { fill, hover, on, text, soft, softer, line } = accentOn(colour, surface);
  expect([fill, hover, on, text, soft, softer, line].join(' ')).toBe(expected);
});

test('a surface that is no colour counts as white', () => {
  expect(accentOn('#e11d48', 'none')).toEqual(accentOn('#e11d48', '#ffffff'));
});
