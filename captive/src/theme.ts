import { black, contrast, inkOn, mix, parseHex, type Rgb, readable, toHex, white } from '@portico/contract/colour.ts';
import { darkDefaults, effectiveStyles } from '@portico/contract/portal-default-styles.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import { artAddress, lookCss } from './look.ts';

// Contrast ratios of WCAG 2.2 AA for text and for input outlines, a little higher to allow for rounding.
const text = 4.6;
const outline = 3.1;

/**
 * The custom properties and the background of a portal. All values come from validated styles: colours, numbers, own paths.
 * `inDark`: as on a phone that is set to dark.
 */
export function themeCss(chosen: PortalStyles, inDark = false): string {
  const styles = effectiveStyles(chosen);
  const light = properties(styles);
  const page = backdrop(styles) + lookCss(styles);
  if (!followsDevice(styles)) return root(light) + page;
  const dark = properties(darkened(styles));
  if (inDark) return root(dark) + page + nightCss(styles);
  const changes = Object.fromEntries(Object.entries(dark).filter(([name, value]) => light[name] !== value));
  return `${root(light)}${page}@media(prefers-color-scheme:dark){${root(changes)}${nightCss(styles)}}`;
}

const root = (values: Record<string, string>) =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;

/** Only a light portal can follow the guest's phone into the dark. */
export const followsDevice = ({ color_scheme, dark_mode }: PortalStyles): boolean =>
  color_scheme === 'light' && dark_mode === 'device';

/** The styles of a portal in the dark. A light form becomes dark then even if its colour was chosen, and title and button lighter. */
export function darkened(styles: PortalStyles): PortalStyles {
  const dark = effectiveStyles({ ...styles, color_scheme: 'dark' });
  for (const key of ['form_background_color', 'border_color'] as const)
    if (!isDark(parseHex(dark[key]))) dark[key] = darkDefaults[key];
  // A logo for dark pages would not be seen on a light band.
  const { dark_logo, logo_background_color: band } = dark;
  if (dark_logo && band && !isDark(parseHex(band))) dark.logo_background_color = dark.form_background_color;
  const card = parseHex(dark.form_background_color);
  const primary = parseHex(dark.primary_color);
  // A black button becomes a light one; between them is a grey that looks disabled.
  const button = isGrey(primary) ? 10 : 2.4;
  return {
    ...dark,
    primary_color: toHex(readable(primary, card, button)),
    welcome_message_text_color: toHex(readable(parseHex(dark.welcome_message_text_color), card, 9)),
  };
}

const isGrey = (colour: Rgb) => Math.max(...colour) - Math.min(...colour) < 24;

/** A colour of the page around the form, for the dark. */
export function nightColour(hex: string): string {
  const colour = parseHex(hex);
  return isDark(colour) ? hex : toHex(mix(colour, black, 0.1));
}

/** The rest of the page in the dark. A logo that has no version for dark pages keeps the light ground that it was drawn for. */
function nightCss(styles: PortalStyles): string {
  const { background_color, secondary_color, dark_logo, logo_background_color, form_background_color } = styles;
  const around = pictureOf(styles)
    ? '.backdrop{filter:brightness(.6)}'
    : backdrop({
        ...styles,
        background_color: nightColour(background_color),
        secondary_color: nightColour(secondary_color),
      });
  if (dark_logo || logo_background_color) return around;
  return `${around}.brand img{padding:.5rem .75rem;border-radius:var(--control);background:${form_background_color}}`;
}

function properties(styles: PortalStyles): Record<string, string> {
  const card = parseHex(styles.form_background_color);
  const ink = readable(mix(inkOn(card), card, 0.92), card, text);
  const primary = button(parseHex(styles.primary_color), card);
  const soft = mix(parseHex(styles.primary_color), card, 0.1);
  const tone = (name: string, hex: string) => {
    const colour = parseHex(hex);
    const ground = mix(colour, card, 0.1);
    return {
      [`${name}-bg`]: toHex(ground),
      [name]: toHex(readable(colour, ground, text)),
      [`${name}-line`]: toHex(mix(colour, card, 0.4)),
    };
  };
  const field = mix(inkOn(card), card, 0.03);
  const band = styles.logo_background_color ? parseHex(styles.logo_background_color) : undefined;
  const values: Record<string, string> = {
    card: toHex(card),
    ink: toHex(ink),
    muted: toHex(readable(mix(ink, card, 0.68), card, text)),
    title: toHex(readable(parseHex(styles.welcome_message_text_color), card, text)),
    'title-size': `${styles.welcome_font_size / 16}rem`,
    primary: toHex(primary.fill),
    'on-primary': toHex(primary.on),
    'primary-down': toHex(primary.down),
    link: toHex(readable(parseHex(styles.primary_color), card, text)),
    soft: toHex(soft),
    'on-soft': toHex(readable(parseHex(styles.primary_color), soft, text)),
    second: toHex(readable(parseHex(styles.secondary_color), field, 3.4)),
    line: styles.border_color,
    outline: toHex(readable(parseHex(styles.border_color), field, outline)),
    field: toHex(field),
    'on-field': toHex(readable(ink, field, text)),
    band: band ? toHex(band) : 'transparent',
    'logo-width': `${styles.logo_scale}%`,
    radius: `${styles.corner_radius / 16}rem`,
    // Fields and buttons are smaller than the card, so their corners are too.
    control: `${(styles.corner_radius * 0.6) / 16}rem`,
    button: { rounded: 'var(--control)', pill: '99rem', square: '0' }[styles.button_shape],
    ...tone('alert', styles.alert_color),
    ...tone('warning', styles.warning_color),
    ...tone('info', styles.info_color),
    ...tone('success', styles.success_color),
  };
  const named = Object.entries(values).map(([name, value]) => [`--${name}`, value]);
  return { 'color-scheme': isDark(card) ? 'dark' : 'light', ...(Object.fromEntries(named) as Record<string, string>) };
}

const isDark = (colour: Rgb) => inkOn(colour) === white;

/** A button and its text. The button contrasts with the card; white text is preferred if slightly darkening the button allows it. */
function button(chosen: Rgb, card: Rgb): { fill: Rgb; on: Rgb; down: Rgb } {
  const seen = contrast(chosen, card) >= 1.5 ? chosen : readable(chosen, card, outline);
  const on = contrast(seen, white) >= 2.9 ? white : black;
  const fill = contrast(seen, on) >= text ? seen : readable(seen, on, text);
  return { fill, on, down: mix(on === white ? black : white, fill, 0.16) };
}

/** A background with a copy for phones, which the upload has made. */
const sized = /\/photo-(?=[0-9a-f-]{36}\.webp$)/;

function pictureOf(styles: PortalStyles): string | null {
  const art = styles.background_art && artAddress(styles.background_art);
  return styles.background_type === 'color' ? null : (styles.background_image ?? art);
}

/** The copy of the background for phones. */
export function smallPhoto(styles: PortalStyles): string | null {
  const picture = pictureOf(styles);
  return picture && sized.test(picture) ? picture.replace(sized, '/photosmall-') : null;
}

function backdrop(styles: PortalStyles): string {
  const [picture, small] = [pictureOf(styles), smallPhoto(styles)];
  if (!small) return `.backdrop{background:${layersOf(styles, picture)}}`;
  return `.backdrop{background:${layersOf(styles, small)}}@media(min-width:48rem){.backdrop{background:${layersOf(styles, picture)}}}`;
}

function layersOf(styles: PortalStyles, picture: string | null): string {
  const plain = styles.background_color;
  const end = styles.color_type === 'gradient' ? styles.secondary_color : plain;
  const focus = `${styles.background_focus_x}% ${styles.background_focus_y}%`.replace(/^50% 50%$/, 'center');
  const layers: string[] = [];
  // The picture shows through the colour.
  if (picture && styles.background_type === 'color_image') layers.push(`linear-gradient(160deg,${plain}b3,${end}b3)`);
  if (picture) layers.push(`url("${picture.replace(/["\\\n]/g, '')}") ${focus}/cover no-repeat`);
  else if (styles.color_type === 'gradient') layers.push(`linear-gradient(160deg,${plain},${end})`);
  // Without a picture, the background is a gradient of the portal's colour.
  else if (styles.background_type !== 'color') layers.push(glow(styles));
  return [...layers.slice(0, -1), `${layers.at(-1) ?? ''} ${plain}`.trim()].join(',');
}

function glow({ primary_color, background_color }: PortalStyles): string {
  const light = (share: number) => toHex(mix(parseHex(primary_color), parseHex(background_color), share));
  return `radial-gradient(120% 70% at 15% 0,${light(0.55)},transparent),radial-gradient(110% 60% at 100% 100%,${light(0.35)},transparent)`;
}
