import { defaultStyles, effectiveStyles } from '@portico/contract/portal-default-styles.ts';
import type { PortalStyles, StyleKey } from '@portico/contract/portal-styles.ts';
import { contrast, parseHex } from '#lib/colour.ts';

/** WCAG 2.2 requires only 3:1 for bold text from this size (CSS pixels). */
const large = 19;

/** The required contrast ratio of each colour on the form. */
const needed = ({ welcome_font_size }: PortalStyles): Partial<Record<StyleKey, number>> => ({
  welcome_message_text_color: welcome_font_size >= large ? 3 : 4.5,
  primary_color: 3,
  secondary_color: 3,
  // These colours are used for sentences.
  alert_color: 4.5,
  warning_color: 4.5,
  info_color: 4.5,
  success_color: 4.5,
});

/** The page adapts default colours on the default form to the colour scheme, so they need no warning. */
const isOwn = (styles: PortalStyles, key: StyleKey): boolean =>
  styles[key] === defaultStyles[key] && styles.form_background_color === defaultStyles.form_background_color;

/** The colours with too little contrast on the painted form, and their ratio. */
export function weakColours(styles: PortalStyles): Partial<Record<StyleKey, number>> {
  const painted = effectiveStyles(styles);
  const form = parseHex(painted.form_background_color);
  const weak: Partial<Record<StyleKey, number>> = {};
  for (const [key, least] of Object.entries(needed(styles)) as [StyleKey, number][]) {
    if (isOwn(styles, key)) continue;
    const colour = parseHex(String(painted[key]));
    const ratio = form && colour ? contrast(form, colour) : 21;
    if (ratio < least) weak[key] = ratio;
  }
  return weak;
}
