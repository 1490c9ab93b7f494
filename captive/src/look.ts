import { scriptOf } from '@portico/contract/portal-languages.ts';
import type { BackgroundArt, PortalFont, PortalLayout, PortalStyles } from '@portico/contract/portal-styles.ts';
import bannerCss from './layouts/banner.css?inline';
import sheetCss from './layouts/sheet.css?inline';
import splitCss from './layouts/split.css?inline';

/** The layout and the fonts of a page. The server serves the files of `public/assets`. */

type BundledFont = Exclude<PortalFont, 'system'>;
const families: Readonly<Record<BundledFont, readonly [name: string, weights: string, fallback: string]>> = {
  figtree: ['Figtree', '400 700', 'system-ui,sans-serif'],
  nunito: ['Nunito', '400 700', 'system-ui,sans-serif'],
  'space-grotesk': ['Space Grotesk', '400 700', 'system-ui,sans-serif'],
  playfair: ['Playfair', '600', 'Georgia,serif'],
  fraunces: ['Fraunces', '600', 'Georgia,serif'],
};

/** The letters of each file. Central Europe needs the second one too. Turkish does not: scripts/turkish-letters.py. */
const ranges = {
  '': 'U+20-7E,U+A0-A3,U+A7,U+A9-AB,U+AE,U+B0,U+B7,U+BA-BB,U+BF-CF,U+D1-D7,U+D9-DC,U+DF-EF,U+F1-F6,U+F9-FC,U+11E-11F,U+130-131,U+152-153,U+15E-15F,U+2013-2014,U+2018-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+20BA',
  '-ext': 'U+100-11D,U+120-12F,U+132-151,U+154-15D,U+160-17F,U+218-21B',
} as const;

const fontAddress = (font: BundledFont, part: keyof typeof ranges) => `/assets/${font}${part}.woff2`;
export const artAddress = (art: BackgroundArt) => `/assets/art-${art}.svg`;

const bundled = ({ text_font, title_font }: PortalStyles): BundledFont[] =>
  [...new Set([text_font, title_font])].filter(font => font !== 'system');

/** Whether the files have the letters of a language. Those of other scripts come from the phone's own font. */
const isLatin = (language: string) => scriptOf(language) === 'Latn';

/** The font files that a page in this language needs. */
export const fontFiles = (styles: PortalStyles, language: string): string[] =>
  isLatin(language) ? bundled(styles).map(font => fontAddress(font, '')) : [];

const layouts: Readonly<Record<PortalLayout, string>> = {
  card: '',
  split: splitCss,
  sheet: sheetCss,
  banner: bannerCss,
};

/** `optional`: a font that is not there at once is used from the next page on, so no text moves or waits. */
const face = (font: BundledFont) =>
  (Object.keys(ranges) as (keyof typeof ranges)[])
    .map(
      part =>
        `@font-face{font-family:"${families[font][0]}";src:url(${fontAddress(font, part)}) format("woff2");font-weight:${families[font][1]};font-display:optional;unicode-range:${ranges[part]}}`,
    )
    .join('');

const stack = (font: BundledFont) => `"${families[font][0]}",${families[font][2]}`;

/** The rules of the chosen layout and fonts; none for those of older portals. */
export function lookCss(styles: PortalStyles): string {
  const { layout, text_font, title_font } = styles;
  const text = text_font === 'system' ? '' : `html{font-family:${stack(text_font)}}`;
  const title = title_font === 'system' || title_font === text_font ? '' : `h1{font-family:${stack(title_font)}}`;
  return bundled(styles).map(face).join('') + text + title + layouts[layout];
}
