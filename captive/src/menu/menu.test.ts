import { gzipSync } from 'node:zlib';
import { contrast, parseHex } from '@portico/contract/colour.ts';
import type { MenuProduct, MenuView } from '@portico/contract/menu-view.ts';
import { expect, test } from 'vitest';
import { renderMenu } from '../render.tsx';
import { menuThemeCss } from './menu-theme.ts';

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</style>`;

const product = (title: string, more: Partial<MenuProduct> = {}): MenuProduct => ({
  id: title,
  title,
  description: 'Taze nane ve limonla, buzlu ya da ılık',
  more: 'Her sabah bahçemizden toplanır.\nİsteyene şekersiz.',
  ingredients: ['nane', 'limon', 'su'],
  allergens: ['gluten'],
  minutes: 5,
  calorie: 120,
  price: 85.5,
  currency: 'try',
  image: null,
  ...more,
});

const viewOf = (products: readonly MenuProduct[], more: Partial<MenuView> = {}): MenuView => ({
  language: 'tr',
  look: null,
  nonce: 'bm9uY2U=',
  script: '/menu.js?v=12345678',
  path: '/m/abcdefgh1234/5',
  locationName: 'Kafe Çınar',
  deskName: 'T5',
  brand: { name: 'Çınar', logo: null, color: '#2f71f2' },
  categories: [
    { id: '1', title: 'İçecekler' },
    { id: null, title: '' },
  ],
  chosen: undefined,
  search: '',
  sizes: {},
  sections: [{ id: '1', title: 'İçecekler', description: '', products }],
  ...more,
});

test('a first view with the maximum number of products stays within 30 kB', () => {
  // Words do not repeat, as in a real menu.
  const many = Array.from({ length: 60 }, (_, i) =>
    product(`Ürün ${i}`, { description: `${Math.sin(i)} ${Math.cos(i)}`, more: `${Math.tan(i)} ${Math.exp(i)}` }),
  );
  expect(gzipSync(renderMenu(viewOf(many)), { level: 3 }).length).toBeLessThan(30 * 1024);
});

test('everything that was typed or named is escaped', () => {
  const html = renderMenu(
    viewOf([product(hostile, { description: hostile, more: hostile, ingredients: [hostile], allergens: [hostile] })], {
      locationName: hostile,
      deskName: hostile,
      search: hostile,
      brand: { name: hostile, logo: null, color: '#2f71f2' },
      categories: [
        { id: hostile, title: hostile },
        { id: null, title: '' },
      ],
    }),
  );
  expect(html).not.toMatch(/<script>|<img src=x|<\/style>(?!<script src)/);
  expect(html).not.toMatch(/ style="| on[a-z]+="/);
});

test('pictures below the fold are loaded lazily', () => {
  const image = { small: '/uploads/a/menusmall-1.webp', large: '/uploads/a/menu-1.webp' };
  const html = renderMenu(viewOf(Array.from({ length: 6 }, (_, i) => product(`Ürün ${i}`, { image }))));
  expect(html.match(/<img /g)).toHaveLength(6);
  expect(html.match(/loading="lazy"/g)).toHaveLength(2);
});

test('the brand stays readable in light and dark with every colour', () => {
  for (const color of ['#ffffff', '#000000', '#ffff00', '#2f71f2', '#808080']) {
    for (const look of ['light', 'dark'] as const) {
      const css = menuThemeCss(color, look);
      const value = (name: string) => parseHex(new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)![1]!);
      const ground = look === 'light' ? ['#ffffff', '#f6f7f9'] : ['#14171c', '#1d2128'];
      for (const it of ground)
        expect(contrast(value('brand'), parseHex(it)), `${color} ${look}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(value('on-soft'), value('soft')), `${color} ${look}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});
