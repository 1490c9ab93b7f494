import { mix, parseHex, readable, toHex } from '@portico/contract/colour.ts';

const text = 4.6;
// The cards have the lowest contrast with the brand's colour.
const grounds = { light: parseHex('#f6f7f9'), dark: parseHex('#1d2128') } as const;

/** A readable variant of the brand's colour for this background, and a tint of it. */
function tones(color: string, look: 'light' | 'dark'): string {
  const ground = grounds[look];
  const brand = parseHex(color);
  const soft = mix(brand, ground, 0.12);
  return `--brand:${toHex(readable(brand, ground, text))};--soft:${toHex(soft)};--on-soft:${toHex(readable(brand, soft, text))}`;
}

const plain = {
  light: 'color-scheme:light;--ground:#fff;--card:#f6f7f9;--ink:#16191f;--muted:#5a6270;--line:#e2e5ea',
  dark: 'color-scheme:dark;--ground:#14171c;--card:#1d2128;--ink:#f0f2f5;--muted:#a3abb8;--line:#323843',
} as const;

/** The menu's custom properties; without a choice they follow the device's setting. */
export function menuThemeCss(color: string, look: 'light' | 'dark' | null): string {
  const of = (it: 'light' | 'dark') => `:root{${plain[it]};${tones(color, it)}}`;
  return look ? of(look) : `${of('light')}@media(prefers-color-scheme:dark){${of('dark')}}`;
}
