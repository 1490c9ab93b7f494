/** Colour arithmetic for the tenant's accent: OKLCH for even steps, WCAG 2 contrast for legibility. */

type Rgb = readonly [number, number, number];
type Lch = readonly [l: number, c: number, h: number];

export const defaultAccent = '#2f71f2';
const white: Rgb = [1, 1, 1];
const ink: Rgb = [0.043, 0.059, 0.086];

const toLinear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
const toGamma = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
const clamp = (x: number) => Math.min(1, Math.max(0, x));

/** `#rgb` or `#rrggbb` as three numbers from 0 to 1; undefined for anything else. */
export function parseHex(hex: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(hex.trim())?.[1];
  if (!digits) return undefined;
  const full = digits.length === 3 ? [...digits].map(d => d + d).join('') : digits;
  const at = (i: number) => Number.parseInt(full.slice(i, i + 2), 16) / 255;
  return [at(0), at(2), at(4)];
}

const toHex = (rgb: Rgb) =>
  `#${rgb
    .map(x =>
      Math.round(clamp(x) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

function toLch([r, g, b]: Rgb): Lch {
  const [lr, lg, lb] = [toLinear(r), toLinear(g), toLinear(b)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  const L = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [L, Math.hypot(A, B), Math.atan2(B, A)];
}

function fromLch([L, c, h]: Lch): Rgb {
  const [A, B] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (L + 0.3963377774 * A + 0.2158037573 * B) ** 3;
  const m = (L - 0.1055613458 * A - 0.0638541728 * B) ** 3;
  const s = (L - 0.0894841775 * A - 1.291485548 * B) ** 3;
  return [
    clamp(toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    clamp(toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    clamp(toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  ];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Moves the lightness of a colour by small steps until it can be read on `background`. */
function readable(colour: Rgb, background: Rgb, ratio: number): Rgb {
  const [start, c, h] = toLch(colour);
  const step = luminance(background) > 0.18 ? -0.01 : 0.01;
  let found = colour;
  for (let l = start + step; l >= 0 && l <= 1 && contrast(found, background) < ratio; l += step)
    found = fromLch([l, c, h]);
  return found;
}

const shifted = (colour: Rgb, by: number): Rgb => {
  const [l, c, h] = toLch(colour);
  return fromLch([clamp(l + by), c, h]);
};

function mixed([r, g, b]: Rgb, [r0, g0, b0]: Rgb, share: number): Rgb {
  const mix = (front: number, back: number) => front * share + back * (1 - share);
  return [mix(r, r0), mix(g, g0), mix(b, b0)];
}

/**
 * The colours derived from the tenant's colour for one surface: a fill with its text, and text, lines and soft
 * backgrounds. Text always keeps a contrast of 4.5:1.
 */
export function accentOn(
  hex: string,
  surfaceHex: string,
): Record<'fill' | 'hover' | 'on' | 'text' | 'soft' | 'softer' | 'line', string> {
  const surface = parseHex(surfaceHex) ?? white;
  const brand = parseHex(hex) ?? (parseHex(defaultAccent) as Rgb);
  const dark = luminance(surface) < 0.18;
  // A colour that almost carries white text is darkened until it does; a light one (yellow) gets dark text instead.
  const withWhite = contrast(brand, white) >= 2.9;
  const bright = dark && luminance(brand) < 0.05 ? readable(brand, surface, 2) : brand;
  const fill = withWhite ? readable(bright, white, 4.5) : bright;
  const soft = mixed(fill, surface, dark ? 0.2 : 0.09);
  return {
    fill: toHex(fill),
    hover: toHex(shifted(fill, withWhite ? -0.05 : 0.04)),
    on: toHex(withWhite ? white : ink),
    text: toHex(readable(brand, soft, 4.6)),
    soft: toHex(soft),
    softer: toHex(mixed(fill, surface, dark ? 0.12 : 0.05)),
    line: toHex(mixed(fill, surface, dark ? 0.5 : 0.35)),
  };
}
