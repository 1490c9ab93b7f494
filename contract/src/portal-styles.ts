import { z } from 'zod';
import { numeric, unlessEmpty, wholeNumber } from './fields.ts';
import { maxCustomCss } from './portal-css.ts';

/** The styles of a portal (document 1, section 3), with their ranges and defaults. */

const color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'color_format');
/** An empty value removes the colour. */
const optionalColor = unlessEmpty(color.nullable());
/** The address of a picture uploaded through the portal image call. */
export const picture = z
  .string()
  .trim()
  .max(500)
  .regex(/^(https?:\/\/[^\s"'<>\\]+)?\/uploads\/[0-9a-f-]{36}\/[a-z0-9-]+\.(png|jpg|webp|svg)$/, 'picture');
export const optionalPicture = unlessEmpty(picture.nullable());

/** Slider bounds of the styles that are numbers. */
export const styleBounds = {
  logo_scale: { min: 10, max: 100, step: 5 },
  welcome_font_size: { min: 14, max: 40, step: 1 },
  corner_radius: { min: 0, max: 28, step: 2 },
  background_focus_x: { min: 0, max: 100, step: 1 },
  background_focus_y: { min: 0, max: 100, step: 1 },
} as const;

/** How the sign-in stands on the page. `card` is that of portals from before there was a choice. */
export const portalLayouts = ['card', 'split', 'sheet', 'banner'] as const;
export type PortalLayout = (typeof portalLayouts)[number];
/** Fonts that the guests' pages bring along; `system` is the phone's own. The serif ones are for titles only. */
export const textFonts = ['system', 'figtree', 'nunito', 'space-grotesk'] as const;
export const titleFonts = [...textFonts, 'playfair', 'fraunces'] as const;
export type PortalFont = (typeof titleFonts)[number];
/** Drawings that the guests' pages bring along, shown while there is no picture. */
export const backgroundArts = ['hotel', 'cafe', 'hospital', 'airport', 'campus', 'event', 'festive'] as const;
export type BackgroundArt = (typeof backgroundArts)[number];

const slider = ({ min, max, step }: { min: number; max: number; step: number }) =>
  numeric(wholeNumber(min, max).multipleOf(step));

export const portalStyles = z.object({
  color_scheme: z.enum(['light', 'dark']),
  primary_color: color,
  secondary_color: color,
  form_background_color: color,
  alert_color: color,
  warning_color: color,
  info_color: color,
  success_color: color,
  border_color: color,
  provider_layout: z.enum(['dropdown', 'scroll']),
  logo_type: z.enum(['active', 'passive']),
  portal_logo: optionalPicture,
  logo_scale: slider(styleBounds.logo_scale),
  logo_background_color: optionalColor,
  background_type: z.enum(['color', 'image', 'color_image']),
  background_image: optionalPicture,
  color_type: z.enum(['solid', 'gradient']),
  background_color: color,
  welcome_message_text_color: color,
  welcome_font_size: slider(styleBounds.welcome_font_size),
  // Further styles, which older clients do not know.
  layout: z.enum(portalLayouts),
  background_art: unlessEmpty(z.enum(backgroundArts).nullable()),
  /** The point of the background picture that stays visible, in percent from the left and the top. */
  background_focus_x: slider(styleBounds.background_focus_x),
  background_focus_y: slider(styleBounds.background_focus_y),
  title_font: z.enum(titleFonts),
  text_font: z.enum(textFonts),
  corner_radius: slider(styleBounds.corner_radius),
  button_shape: z.enum(['rounded', 'pill', 'square']),
  /** `device`: guests whose phone is set to dark see the dark colours and the dark logo. */
  dark_mode: z.enum(['off', 'device']),
  dark_logo: optionalPicture,
  favicon: optionalPicture,
  /** The colour of the browser's bar. */
  theme_color: optionalColor,
  /** Rules for parts of the page, as the operator wrote them; see portal-css.ts. */
  custom_css: unlessEmpty(z.string().trim().max(maxCustomCss).nullable()),
});
/** The styles that are pictures. */
export const pictureStyles = [
  'portal_logo',
  'background_image',
  'dark_logo',
  'favicon',
] as const satisfies readonly StyleKey[];
export type PortalStyles = z.output<typeof portalStyles>;
export type StyleKey = keyof PortalStyles;
export const styleKeys = Object.keys(portalStyles.shape) as StyleKey[];
