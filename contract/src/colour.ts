/** Colour arithmetic that keeps text readable with any operator's colours (WCAG 2 contrast). */

export type Rgb = readonly [number, number, number];

export const white: Rgb = [255, 255, 255];
export const black: Rgb = [0, 0, 0];

/** `#rrggbb` as three numbers from 0 to 255. The contract allows no other format; any other text counts as black. */
export function parseHex(hex: string): Rgb {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return black;
  const at = (i: number) => Number.parseInt(hex.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}

export const toHex = (rgb: Rgb): string => `#${rgb.map(x => Math.round(x).toString(16).padStart(2, '0')).join('')}`;

const eachOf = ([r, g, b]: Rgb, of: (x: number, i: 0 | 1 | 2) => number): Rgb => [of(r, 0), of(g, 1), of(b, 2)];

function luminance(rgb: Rgb): number {
  const [r, g, b] = eachOf(rgb, x => (x <= 10.31475 ? x / 3294.6 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Mixes `share` (0 to 1) of one colour over another. */
export const mix = (colour: Rgb, over: Rgb, share: number): Rgb =>
  eachOf(colour, (x, i) => x * share + over[i] * (1 - share));

/** Black or white, by the better contrast with the background; at least 4.58:1 with any. */
export const inkOn = (background: Rgb): Rgb =>
  contrast(white, background) >= contrast(black, background) ? white : black;

/** The colour, darkened or lightened as far as needed to reach the contrast `ratio` with the background. */
export function readable(colour: Rgb, background: Rgb, ratio: number): Rgb {
  const ink = inkOn(background);
  for (let share = 1; share > 0; share -= 0.04) {
    const moved = mix(colour, ink, share);
    // The ratio must hold after rounding.
    if (contrast(parseHex(toHex(moved)), background) >= ratio) return moved;
  }
  return ink;
}
