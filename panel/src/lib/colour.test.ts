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
